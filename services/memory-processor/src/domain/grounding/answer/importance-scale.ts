/** What is meant by a rating that cannot be read: worth knowing, and no more. */
export const DEFAULT_IMPORTANCE = 5;

const WORDS: readonly (readonly [pattern: RegExp, importance: number])[] = [
  [/critical|crucial|life-?changing|extreme|vital|至关|极高|极其|致命/iu, 10],
  [/very (?:high|important)|非常|很高|很重要/iu, 9],
  [/(?:very low|trivial|negligible)|很低|极低|微不足道/iu, 1],
  [/medium|moderate|average|normal|中/iu, 5],
  [/high|important|major|significant|高|重要/iu, 8],
  [/low|minor|unimportant|低|次要/iu, 3],
];

const NUMBER = /-?\d+(?:\.\d+)?/gu;

/** A number on the scale that it is most likely of: 0.9 is of 1, 85 of 100. */
function toScale(value: number): number {
  const onTen = value > 0 && value < 1 ? value * 10 : value > 20 ? value / 10 : value;
  return Math.min(10, Math.max(1, Math.round(onTen)));
}

/**
 * Reads a rating as an integer from 1 to 10, whatever scale a model took: `8`, `"8/10"`, `"high"`, 0.9, 85.
 * @returns `isMeant` is false when it had to be guessed or moved onto the scale, so that it can be reported
 */
export function readImportance(given: unknown): { readonly importance: number; readonly isMeant: boolean } {
  const unknown = { importance: DEFAULT_IMPORTANCE, isMeant: false };
  if (typeof given === 'number' && Number.isFinite(given)) {
    return { importance: toScale(given), isMeant: given >= 1 && given <= 10 };
  }
  if (typeof given !== 'string' || given.length > 100) return unknown;
  const [value, most] = (given.match(NUMBER) ?? []).map(Number);
  if (value !== undefined) {
    const isOf = /(?:\/|out of|of|满分)\s*-?\d/iu.test(given) && most !== undefined && most > 0;
    if (isOf) return { importance: toScale(Math.max(1, (value / most) * 10)), isMeant: most === 10 };
    const isPercent = /%|％/u.test(given);
    return { importance: toScale(isPercent ? value / 10 : value), isMeant: !isPercent && value >= 1 && value <= 10 };
  }
  const word = WORDS.find(([pattern]) => pattern.test(given));
  return word === undefined ? unknown : { importance: word[1], isMeant: false };
}
