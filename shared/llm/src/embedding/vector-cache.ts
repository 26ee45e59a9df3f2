import type { Embedder } from './embedder.ts';

/** Most vectors that are kept: 3 MB of 384 dimensions, 24 MB of 3,072. */
const MAX_VECTORS = 2_000;

type Embed = Embedder['embed'];

function createCachingEmbed(embed: Embed): Embed {
  /** By text, the least recently used first. */
  const known = new Map<string, Float32Array>();
  const keep = (text: string, vector: Float32Array): void => {
    known.delete(text);
    known.set(text, vector);
    const [oldest] = known.keys();
    if (known.size > MAX_VECTORS && oldest !== undefined) known.delete(oldest);
  };
  return async (texts, signal) => {
    const distinct = [...new Set(texts)];
    const vectors = new Map<string, Float32Array>();
    for (const text of distinct) {
      const vector = known.get(text);
      if (vector !== undefined) vectors.set(text, vector);
    }
    const missing = distinct.filter((text) => !vectors.has(text));
    const made = missing.length === 0 ? [] : await embed(missing, signal);
    for (const [at, text] of missing.entries()) {
      const vector = made[at];
      if (vector !== undefined) vectors.set(text, vector);
    }
    for (const [text, vector] of vectors) keep(text, vector);
    // A copy: what a caller does to a vector does not reach the next.
    return texts.map((text) => Float32Array.from(vectors.get(text) ?? []));
  };
}

/**
 * Keeps the vectors of the last texts and queries of an embedder, so that the same one is not made twice. A vector that the
 * embedder leaves out is empty, which no store takes.
 */
export function createCachingEmbedder({ identity, embed, embedQueries }: Embedder): Embedder {
  return {
    identity,
    embed: createCachingEmbed(embed),
    ...(embedQueries !== undefined && { embedQueries: createCachingEmbed(embedQueries) }),
  };
}
