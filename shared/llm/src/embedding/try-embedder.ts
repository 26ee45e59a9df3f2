import type { Embedder } from './embedder.ts';

const SAMPLE = 'Can this text be turned into a vector?';
const TEXTS = 16;

/** What an embedder costs, found out by trying it. */
export interface EmbedderTrial {
  readonly status: 'ok' | 'off';
  /** Which it is, its dimensions and its times. */
  readonly detail: string;
}

const toMs = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;

/**
 * Tries an embedder: a first text, which may load a model, then one query, then sixteen texts together.
 * @throws ContextloomError as `embed` does
 */
export async function tryEmbedder(
  { identity, embed, embedQueries = embed }: Embedder,
  signal?: AbortSignal,
): Promise<EmbedderTrial> {
  const { provider, model, dimensions } = identity;
  if (provider === 'lexical') return { status: 'off', detail: 'lexical, needs no model' };
  const time = async (make: Embedder['embed'], texts: readonly string[]): Promise<number> => {
    const start = performance.now();
    await make(texts, signal);
    return performance.now() - start;
  };
  const first = await time(embed, [SAMPLE]);
  // No text comes twice: the last ones are cached.
  const query = await time(embedQueries, [`${SAMPLE} And how fast?`]);
  const texts = await time(
    embed,
    Array.from({ length: TEXTS }, (_, at) => `${at}. ${SAMPLE}`),
  );
  const speed = `first text ${toMs(first)}, a query ${toMs(query)}, a text of ${TEXTS} ${toMs(texts / TEXTS)}`;
  return { status: 'ok', detail: `${provider} ${model}, ${dimensions} dimensions; ${speed}` };
}
