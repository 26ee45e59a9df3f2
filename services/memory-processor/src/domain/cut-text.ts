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

/** Puts atoms together again while they fit; to count the whole piece for each atom would take the time of all of it each time. */
function createPacker({ countTokens, maxTokens, inWindow }: PieceLimit) {
  let piece = '';
  /** Never below the tokens of the piece: tokens join where texts do, so that parts have at least as many as their whole. */
  let bound = 0;
  const restart = (atom: string): void => {
    piece = atom;
    bound = countTokens(inWindow(atom));
  };
  return {
    /** Takes an atom; returns the piece before it when the atom does not fit any more. */
    add: (atom: string): string | undefined => {
      if (piece === '') return void restart(atom);
      const longer = piece + atom;
      bound += countTokens(atom);
      if (bound > maxTokens) bound = countTokens(inWindow(longer));
      if (bound > maxTokens) {
        const done = piece;
        restart(atom);
        return done;
      }
      piece = longer;
      return undefined;
    },
    rest: (): string => piece,
  };
}

/**
 * Cuts a text that is too long for a window: after sentences, or inside a sentence that is too long, between words, or
 * inside a long word. The time is linear in the length, and the pieces come one by one.
 */
export function* cutText(text: string, limit: PieceLimit): Generator<string> {
  const fits = (part: string): boolean =>
    part.length <= MAX_COUNTED && limit.countTokens(limit.inWindow(part)) <= limit.maxTokens;
  if (fits(text)) return yield text;
  const packer = createPacker(limit);
  for (const atom of eachAtom(text, fits)) {
    const piece = packer.add(atom)?.trim();
    if (piece !== undefined && piece !== '') yield piece;
  }
  const last = packer.rest().trim();
  if (last !== '') yield last;
}
