/** How the cosines of an embedding model become relevance: at `none` texts have nothing to do with each other, at `full` all. */
export interface CosineScale {
  readonly none: number;
  readonly full: number;
}

/** What relevance means with an embedder. */
export interface RelevanceScale {
  /** Absent where vectors are made of the same words that texts are found by, and tell nothing of their own. */
  readonly cosine?: CosineScale | undefined;
}

/** The scale where words alone tell. */
export const wordsAlone: RelevanceScale = {};

/** By bench:understanding with an English encoder, about a person and about a project. */
const USUAL: CosineScale = { none: 0.3, full: 0.7 };

/**
 * Models whose cosines lie elsewhere. Contrastive training at a low temperature leaves E5 and BGE between .7 and 1 for any two
 * texts (model cards of intfloat/multilingual-e5-small and BAAI/bge-small-en-v1.5, 'similarity distribution').
 */
const models: readonly (readonly [name: RegExp, cosine: CosineScale])[] = [
  [/(?:^|[/_-])(?:multilingual-)?e5(?:$|[/_:-])/iu, { none: 0.78, full: 0.92 }],
  [/(?:^|[/_-])bge-(?:small|base|large)/iu, { none: 0.6, full: 0.85 }],
  [/text-embedding-ada-002/iu, { none: 0.74, full: 0.9 }],
];

/** The scale of an embedder, by its provider and model. */
export function toRelevanceScale({
  provider,
  model,
}: {
  readonly provider: string;
  readonly model: string;
}): RelevanceScale {
  if (provider === 'lexical') return wordsAlone;
  const known = models.find(([name]) => name.test(model));
  return { cosine: known?.[1] ?? USUAL };
}
