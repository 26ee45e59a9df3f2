import { splitSentences } from '@contextloom/retrieval';
import type { WindowTurn } from '../../windows/window-turns.ts';
import { toSaidUnits } from '../support.ts';

/** A clause of a turn, in its sentence, and how much of a fact it says. */
export interface Clause {
  readonly turn: WindowTurn;
  readonly sentence: string;
  readonly text: string;
  /** Clauses of the sentence up to it, itself included; made when read, since a sentence may have thousands of clauses. */
  readonly upTo: readonly string[];
  /** Units of the fact that it has. */
  readonly shared: number;
}

const HAN = /\p{Script=Han}/u;
const CLAUSES =
  /(?<=[,;:，；：、—])\s*|(?<!\s)\s+(?=(?:but|though|although|because|while|whereas|and (?:i|we|he|she|they|still|now|then|so|my))\b)|(?=但是?|可是|不过|因为|虽然)/iu;
/** Where another person becomes the subject: `and Mia doesn't`, `while Ben works`. */
const NEXT_SUBJECT = /(?<!\s)\s+(?=(?:and|but|so|while) \p{Lu}\p{L}{2,}(?:['’]s)?\s+\p{Ll})/u;

/** The clauses of a sentence. */
export function splitClauses(sentence: string): readonly string[] {
  return sentence
    .split(CLAUSES)
    .flatMap((part) => part.split(NEXT_SUBJECT))
    .filter((part) => part.trim() !== '');
}

/** How many units of a fact a text has. */
export function countShared(text: string, terms: ReadonlySet<string>): number {
  return [...toSaidUnits(text)].filter((unit) => terms.has(unit)).length;
}

/** The clauses of a turn. */
export function toClauses(turn: WindowTurn, terms: ReadonlySet<string>): readonly Clause[] {
  return splitSentences(turn.text).flatMap((sentence) => {
    const parts = splitClauses(sentence);
    return parts.map((text, at) => ({
      turn,
      sentence,
      text,
      shared: countShared(text, terms),
      get upTo() {
        return parts.slice(0, at + 1);
      },
    }));
  });
}

/** Whether what a text shares with a fact stands where a word has its effect: more of it after the word than before. */
export function isInScope(text: string, pattern: RegExp, terms: ReadonlySet<string>): boolean {
  const at = text.search(pattern);
  // In Chinese what is denied or ended may come first: 烟我已经戒了.
  if (at >= 0 && HAN.test(text)) return true;
  return at >= 0 && countShared(text.slice(at), terms) >= countShared(text.slice(0, at), terms);
}

/** The same where the first words after the word are of the fact: "might move" is about moving, "might quit my job" not about the job. */
export function isMeantBy(text: string, pattern: RegExp, terms: ReadonlySet<string>): boolean {
  const { 0: word, index } = pattern.exec(text) ?? { 0: '', index: -1 };
  if (index < 0 || !isInScope(text, pattern, terms)) return false;
  const units = [...toSaidUnits(text.slice(index + word.length))].filter((unit) => !unit.startsWith('#'));
  // What is mine is so already, whatever I plan with it.
  if (!/\b(?:my|our)\b|我/iu.test(text.slice(index + word.length))) return true;
  // A verb in English; a word in Chinese has several characters.
  return units.slice(0, HAN.test(text) ? 6 : 1).some((unit) => terms.has(unit));
}
