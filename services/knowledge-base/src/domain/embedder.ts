import type { EmbedderIdentity } from './store.ts';

/** What the domain needs of an embedder: texts to vectors of one space, in order. */
export interface TextEmbedder {
  readonly identity: EmbedderIdentity;
  readonly embed: (texts: readonly string[], signal?: AbortSignal) => Promise<readonly Float32Array[]>;
}

/** Makes the vector of a query; undefined when the embedder fails or is too slow. */
export type EmbedQuery = (query: string) => Promise<Float32Array | undefined>;

/** Makes the vectors of texts that are stored, in order; undefined while the embedder is out of reach. */
export type EmbedPassages = (texts: readonly string[]) => Promise<readonly Float32Array[] | undefined>;

/** Scores texts for a query, higher is better; undefined when there are no scores to be had in time. */
export type Rerank = (query: string, texts: readonly string[]) => Promise<readonly number[] | undefined>;

/** Embeds one query, however long it takes. */
export function embedOne({ embed }: TextEmbedder): EmbedQuery {
  return async (query) => (await embed([query]))[0];
}

/** Pairs each item with the vector of its text. A vector that the embedder left out is empty, which a store refuses. */
export async function withVectors<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  embedder: TextEmbedder,
): Promise<readonly { readonly item: T; readonly vector: Float32Array }[]> {
  const vectors = await embedder.embed(items.map(textOf));
  return items.map((item, at) => ({ item, vector: vectors[at] ?? new Float32Array() }));
}
