import type { Authorize } from '@contextloom/access';
import { describeWaiting } from '@contextloom/contracts';
import { createHttpKnowledgeBase } from '@contextloom/knowledge-client';
import { type Embedder, type EmbeddingChoice, openReranker, type RerankChoice, tryEmbedder } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import { type Check, type CheckOutcome, runCheck } from '@contextloom/server-kit';
import { openStoreEmbedder } from './open-embedder.ts';
import type { StoreInspection } from './store/engine.ts';
import { toOperatorError } from './store/fingerprint.ts';
import { engineOf, type StorePlace } from './store/index.ts';

/** What the MCP server's checks work with. */
export interface KnowledgeBaseCheckOptions extends StorePlace, EmbeddingChoice, RerankChoice {
  /** The HTTP service, if the documents are kept by one. */
  readonly url: string | undefined;
  /** Makes the Authorization header of calls to it. */
  readonly authorize?: Authorize;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly log: Log;
}

type OpenedEmbedder = Promise<Embedder>;

/** Less than a check may take, so that the check reports why a service does not answer, and not only its own deadline. */
const SERVICE_TIMEOUT_MS = 8_000;
const SAMPLE = 'Can this text be turned into a vector?';

/** Tries out the store, the embedding model and the reranker that the settings name. */
export async function checkKnowledgeBase(options: KnowledgeBaseCheckOptions): Promise<readonly Check[]> {
  const { url, log } = options;
  if (url !== undefined) {
    const embeddings = { name: 'embeddings', status: 'off', detail: 'made by the service of KB_URL' } as const;
    return [await runCheck('store', () => checkService(url, options), { log }), embeddings];
  }
  const embedder = openStoreEmbedder(options);
  return Promise.all([
    runCheck('store', () => checkStore(embedder, options), { log }),
    runCheck('embeddings', (signal) => checkEmbeddings(embedder, signal), { log }),
    ...(hasReranker(options) ? [runCheck('reranker', (signal) => checkReranker(options, signal), { log })] : []),
  ]);
}

async function checkService(url: string, { newId, log, authorize }: KnowledgeBaseCheckOptions): Promise<CheckOutcome> {
  const service = createHttpKnowledgeBase({ url, newId, log, authorize, timeoutMs: SERVICE_TIMEOUT_MS });
  const { kind, status, reason } = await service.health();
  // The origin alone: an address may hold a password.
  const where = `the service at ${new URL(url).origin}`;
  if (status === 'running') return { status: 'ok', detail: `${where} can use its store (${kind})` };
  return { status: 'failed', detail: reason ?? `${where} cannot use its store` };
}

async function inspectStore(
  opened: OpenedEmbedder,
  { clock, newId, log, ...place }: KnowledgeBaseCheckOptions,
): Promise<StoreInspection> {
  const engine = engineOf(place);
  const embedder = (await opened).identity;
  if (engine.inspect !== undefined) return engine.inspect(place, embedder);
  const store = await engine.open(place, { embedder, onMismatch: 'upgrade', clock, newId, log });
  try {
    await store.check();
    const isOwn = (await store.indexState()) === 'own';
    const { documents, vectors } = await store.stats({ kind: 'everyone' });
    return { isOwn, waiting: documents - vectors };
  } finally {
    await store.close();
  }
}

async function checkStore(opened: OpenedEmbedder, options: KnowledgeBaseCheckOptions): Promise<CheckOutcome> {
  const { isOwn, waiting } = await inspectStore(opened, options).catch((error: unknown) => {
    throw toOperatorError(error);
  });
  const { describe, comparison } = engineOf(options);
  const details = [
    `opens: ${describe(options)}`,
    comparison,
    isOwn ? undefined : 'another version made its index; the server rebuilds it when it starts',
    waiting === 0 ? undefined : describeWaiting(waiting),
  ];
  return { status: 'ok', detail: details.filter((part) => part !== undefined).join('; ') };
}

async function checkEmbeddings(opened: OpenedEmbedder, signal: AbortSignal): Promise<CheckOutcome> {
  return tryEmbedder(await opened, signal);
}

function hasReranker({ rerankBaseUrl, rerankModel }: RerankChoice): boolean {
  return rerankBaseUrl !== undefined || rerankModel !== undefined;
}

async function checkReranker(options: RerankChoice, signal: AbortSignal): Promise<CheckOutcome> {
  const reranker = await openReranker(options);
  if (reranker === undefined) return { status: 'off', detail: 'none is set' };
  await reranker.rerank(SAMPLE, [SAMPLE, 'Some other text.'], signal);
  return { status: 'ok', detail: `${reranker.model} at ${reranker.address}` };
}
