import type { EmbedderIdentity } from '../store/store.ts';

/** What the domain needs of an embedder: texts to vectors of one space, in order. */
export interface TextEmbedder {
  readonly identity: EmbedderIdentity;
  readonly embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>;
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
