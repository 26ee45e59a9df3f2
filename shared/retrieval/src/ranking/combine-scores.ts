import type { RelevanceScale } from './relevance-scale.ts';
import { TURNS } from './turns.ts';

/**
 * How much nearness counts next to words: nearly as much with a model's vectors; hardly with vectors that are made of the same words,
 * which find what is misspelled. The table of docs/search.md has what each is worth.
 */
const NEARNESS = { model: 0.4, words: 0.1 } as const;

/** The least nearness of a text that is near at all: the farthest of those that were found is found too. */
const LEAST = 0.01;

/** A text that words or vectors found. */
export interface Retrieved {
  readonly id: string;
  /** Its score by words, of 0 or more; absent where it has none of them. */
  readonly words?: number | undefined;
  /** Its cosine to the question; absent where it has no vector, or is known to be far. */
  readonly cosine?: number | undefined;
  /** In UTF-16 code units; that of a short one where it is unknown. */
  readonly length?: number | undefined;
}

/** A model makes one vector of a text, or of its beginning: of a long one it tells less. */
const toCertainty = ({ length = 0 }: Retrieved): number => Math.min(1, TURNS.longest / Math.max(1, length));

/**
 * The score of each text, in [0, 1], by how well its words and its vector fit. Both are put on one scale within what was found, since
 * neither has one of its own: words by the best, and cosines, of which each model has its range, from the farthest to the nearest. Where
 * all are near, as of two memories about the same, the range begins where texts have nothing to do with each other.
 */
export function combineScores(
  texts: readonly Retrieved[],
  { cosine: scale }: Pick<RelevanceScale, 'cosine'>,
): ReadonlyMap<string, number> {
  const cosines = texts.flatMap(({ cosine }) => cosine ?? []);
  const farthest = cosines.reduce((least, one) => Math.min(least, one), scale?.none ?? 0);
  const nearest = cosines.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY);
  const most = texts.reduce((best, { words = 0 }) => Math.max(best, words), Number.MIN_VALUE);
  const toNearness = ({ cosine = 0 }: Retrieved): number => {
    if (cosine <= 0) return 0;
    return nearest > farthest ? Math.max(LEAST, (cosine - farthest) / (nearest - farthest)) : 1;
  };
  const toScore = (text: Retrieved): number => {
    const ofText = (text.words ?? 0) / most;
    if (cosines.length === 0) return ofText;
    const share = scale === undefined ? NEARNESS.words : NEARNESS.model * toCertainty(text);
    return (1 - share) * ofText + share * toNearness(text);
  };
  return new Map(texts.map((text) => [text.id, toScore(text)]));
}
