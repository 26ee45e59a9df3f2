import { eachSentence } from '@contextloom/retrieval';

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** How much text a piece may hold. */
export interface PieceLimit {
  readonly countTokens: CountTokens;
  readonly maxTokens: number;
  /** The text as it stands in its window, with what comes before it. */
  readonly inWindow: (text: string) => string;
}

/** A longer text fits into no window, whatever it says: no token has more than 200 characters. Counting it would take long. */
const MAX_COUNTED = 60_000;

/** Words with the space after them; a word of more than 24 characters in parts (a speaker's name of 40 and such a part always fit). */
const WORDS = /\S{1,24}\s{0,24}|\s{1,24}/gu;

function* eachAtom(text: string, fits: (text: string) => boolean): Generator<string> {
  for (const sentence of eachSentence(text)) {
    if (fits(sentence)) yield sentence;
    else for (const [word] of sentence.matchAll(WORDS)) yield word;
  }
}

/**
 * Puts atoms together while they fit. The whole piece is counted only when the sum of its atoms is too much, which is mostly
 * more than their whole: counted for each atom, it would take the time of all of it each time.
 */
function* pack(atoms: Iterable<string>, { countTokens, maxTokens, inWindow }: PieceLimit): Generator<string> {
  const count = (parts: readonly string[]): number => countTokens(inWindow(parts.join('')));
  /** Takes from the end what is too much; where texts meet, a few have more tokens together than alone. */
  const takeSurplus = (parts: string[]): string[] => {
    const surplus: string[] = [];
    while (parts.length > 1 && count(parts) > maxTokens) surplus.unshift(...parts.splice(-1));
    return surplus;
  };
  let parts: string[] = [];
  let guess = 0;
  for (const atom of atoms) {
    parts.push(atom);
    guess = parts.length === 1 ? count(parts) : guess + countTokens(atom);
    if (guess > maxTokens) guess = count(parts);
    if (guess <= maxTokens) continue;
    const surplus = takeSurplus(parts);
    yield parts.join('');
    parts = surplus;
    guess = count(parts);
  }
  while (parts.length > 0) {
    const surplus = takeSurplus(parts);
    yield parts.join('');
    parts = surplus;
  }
}

/**
 * Cuts a text that is too long for a window: after sentences, or inside a sentence that is too long, between words, or
 * inside a long word. The time is linear in the length, and the pieces come one by one.
 */
export function* cutText(text: string, limit: PieceLimit): Generator<string> {
  const fits = (part: string): boolean =>
    part.length <= MAX_COUNTED && limit.countTokens(limit.inWindow(part)) <= limit.maxTokens;
  if (fits(text)) return yield text;
  for (const piece of pack(eachAtom(text, fits), limit)) if (piece.trim() !== '') yield piece.trim();
}
