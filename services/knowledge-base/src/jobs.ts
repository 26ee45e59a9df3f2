import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { openEmbedder } from '@contextloom/llm';
import type { Log, SettingValues } from '@contextloom/runtime';
import type { storeSettings } from './config.ts';
import type { TextEmbedder } from './domain/embedder.ts';
import { toIndexes } from './domain/indexing/indexing.ts';
import { type MigrationProgress, type MigrationReport, migrate } from './domain/indexing/migration.ts';
import type { DocumentStore, RebuildOptions, RebuildProgress } from './domain/store.ts';
import { toRebuilt } from './http/service-routes.ts';
import { openStoreEmbedder } from './open-embedder.ts';
import { type OpenLocalOptions, openLocalKnowledgeBase } from './open-local.ts';
import { REEMBED_COMMAND, toOperatorError } from './store/fingerprint.ts';
import { type Engine, engineOf, engines, type StorePlace } from './store/index.ts';
import { sqliteEngine } from './store/sqlite/engine.ts';

/** How a reembedding ended. */
type ReembeddingReport =
  /** The store was filled by the embedder and nothing was unfinished. */
  | { readonly kind: 'needless' }
  /** How many documents the new index has, and how many of them this run derived; an interrupted run derived the others. */
  | { readonly kind: 'complete' | 'interrupted'; readonly documents: number; readonly derived: number };

/** Options of a reembedding. */
interface ReembeddingOptions extends Pick<RebuildOptions, 'signal' | 'onProgress'> {
  readonly store: Pick<DocumentStore, 'rebuild' | 'indexState'>;
  readonly embedder: TextEmbedder;
  /** Whether to rebuild the index even where this embedder made it. */
  readonly all: boolean;
}

/**
 * Makes every vector of a store again with the embedder, and goes on with what an earlier run left for the same embedder.
 * @throws ContextloomError `conflict` when another rebuild begins during this one; errors of the store and the embedder
 */
async function reembed({ store, embedder, all, ...rest }: ReembeddingOptions): Promise<ReembeddingReport> {
  if (!all && (await store.indexState()) === 'own') return { kind: 'needless' };
  let derived = 0;
  const { kind, documents } = await store.rebuild(
    async (batch) => {
      const indexes = await toIndexes(batch, embedder);
      derived += batch.length;
      return indexes;
    },
    { ...rest, resume: true },
  );
  return { kind, documents, derived };
}

/** The command that copies documents between stores. */
export const MIGRATE_COMMAND = 'node services/knowledge-base/dist/migrate.js';

/** What a job that goes through a whole store works with. */
export interface JobOptions {
  readonly config: SettingValues<typeof storeSettings>;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  /** Ends the job after the batch that is under way. */
  readonly signal: AbortSignal;
  /** Prints one line about how far the job is. */
  readonly onProgress: (line: string) => void;
}

/** How a job ended, in words, and whether it was interrupted before it was done. */
export interface JobEnd {
  readonly text: string;
  readonly isInterrupted: boolean;
}

/** Rebuilds the index from the stored documents. */
export async function rebuildIndex(options: OpenLocalOptions): Promise<string> {
  const knowledgeBase = await openLocalKnowledgeBase({ ...options, onMismatch: 'rebuild' });
  try {
    return toRebuilt(await knowledgeBase.rebuildIndex());
  } finally {
    await knowledgeBase.close();
  }
}

function describeReembedding(report: ReembeddingReport, { identity }: TextEmbedder): string {
  const embedder = `${identity.provider} ${identity.model} with ${identity.dimensions} dimensions`;
  if (report.kind === 'needless')
    return `The store is filled by ${embedder} already, and nothing is unfinished: nothing was done. --all makes everything again.`;
  const { kind, documents, derived } = report;
  if (kind === 'interrupted')
    return `Interrupted with ${documents} documents done, ${derived} of them now. ${REEMBED_COMMAND} goes on.`;
  return `The store is filled by ${embedder}: ${documents} documents, ${derived} of them derived now.`;
}

// A document that changes while the job runs is done more than once.
const toReembedded = ({ documents, done }: RebuildProgress): string =>
  `${Math.min(done, documents)} of ${documents} documents`;

function withAdvice(error: unknown): unknown {
  if (!isContextloomError(error) || error.code === 'conflict') return error; // Another run is making the index.
  const message = `${error.message}. ${REEMBED_COMMAND} goes on where this stopped`;
  return new ContextloomError(error.code, message, { cause: error });
}

/** Makes every vector of the store again with the configured embedder; `all` even where that embedder made them. */
export async function reembedStore(options: JobOptions & { readonly all: boolean }): Promise<JobEnd> {
  const { config, clock, newId, log, signal, all } = options;
  const embedder = await openEmbedder(config);
  const opening = { embedder: embedder.identity, onMismatch: 'rebuild', clock, newId, log, isPatient: true } as const;
  const store = await engineOf(config).open(config, opening);
  const onProgress = (progress: RebuildProgress): void => options.onProgress(toReembedded(progress));
  try {
    const report = await reembed({ store, embedder, all, signal, onProgress });
    return { text: describeReembedding(report, embedder), isInterrupted: report.kind === 'interrupted' };
  } catch (error) {
    throw withAdvice(error);
  } finally {
    await store.close();
  }
}

/** From which engine to which documents are copied, as the command line says. */
interface Direction {
  readonly to: unknown;
  /** Undefined for the one that the settings ask for, or the file when that is the target. */
  readonly from?: unknown;
}

function toEngine(name: unknown, flag: string): Engine {
  const engine = engines.find((one) => one.name === name);
  if (engine !== undefined) return engine;
  const names = engines.map((one) => one.name).join(' or ');
  throw new ContextloomError('invalid', `${flag} must be ${names}`, { field: flag });
}

function toSource(from: unknown, target: Engine, place: StorePlace): Engine {
  if (from !== undefined) return toEngine(from, '--from');
  const named = engineOf(place);
  return named === target ? sqliteEngine : named;
}

/** Opens the store of the engine that is named, to copy into, and the one to copy from. */
async function openBoth({ config, clock, newId, log, to, from }: JobOptions & Direction) {
  const target = toEngine(to, '--to');
  const source = toSource(from, target, config);
  const missing = source === target ? engines : [source, target].filter((one) => !one.isChosen(config));
  if (missing.length > 0)
    throw new ContextloomError('invalid', missing.flatMap(({ needs = [] }) => needs).join('; or '));
  const { identity } = await openStoreEmbedder({ ...config, log });
  const options = { embedder: identity, clock, newId, log, isPatient: true, isCopied: true };
  // A run that was interrupted after the file was moved aside, or is repeated: an empty file would be put over the one that is kept.
  const aside = target.name === 'postgres' ? source.findAside?.(config) : undefined;
  return {
    engines: { source, target },
    embedder: identity,
    aside,
    source: aside === undefined ? await source.open(config, options) : await aside.open(identity),
    target: await target.open(config, options),
  };
}

function describeMigration({ kind, documents, copied, others }: MigrationReport, to: string): string {
  if (kind === 'interrupted')
    return `Interrupted after ${copied} documents were written. ${MIGRATE_COMMAND} --to ${to} goes on.`;
  const rest = others === 0 ? '' : ` It has ${others} more of its own.`;
  return `The ${to} store has all ${documents} documents: ${copied} written now, each read back and compared.${rest}`;
}

const toMigrated = ({ pass, documents, copied }: MigrationProgress): string =>
  `pass ${pass}: ${documents} documents looked at, ${copied} written`;

/**
 * Copies all documents into the store of the engine that `to` names, from another one. The file is moved aside once all that it has is
 * in Postgres: neither hides the other.
 * @throws ContextloomError `invalid` for another name, or where the settings ask for one store alone
 */
export async function migrateStore(options: JobOptions & Direction): Promise<JobEnd> {
  const { engines: chosen, embedder, source, target, aside: known } = await openBoth(options);
  const toPostgres = chosen.target.name === 'postgres';
  const onProgress = (progress: MigrationProgress): void => options.onProgress(toMigrated(progress));
  const hasPostgres = toPostgres || chosen.source.name === 'postgres';
  const moving = { vectors: hasPostgres ? 'present' : 'all', keepsNewer: toPostgres } as const;
  const copy = (from: DocumentStore) =>
    migrate({ source: from, target, signal: options.signal, onProgress, ...moving }).finally(() => from.close());
  try {
    const report = await copy(source);
    const text = describeMigration(report, chosen.target.name);
    if (report.kind === 'interrupted') return { text, isInterrupted: true };
    const aside = known ?? (toPostgres ? chosen.source.setAside?.(options.config) : undefined);
    if (aside === undefined) return { text, isInterrupted: false };
    // What was written in between: whoever has the file open notices that it is gone.
    if (aside !== known) await copy(await aside.open(embedder));
    return { text: `${text} The file is kept as ${aside.file}.`, isInterrupted: false };
  } catch (error) {
    throw toOperatorError(error);
  } finally {
    await target.close();
  }
}
