import { isStopCharacter, simplify } from '@contextloom/retrieval';
import type { WindowTurn } from '../windows/window-turns.ts';
import type { Doubt } from './doubt.ts';
import type { NameSource } from './names/names.ts';
import { MEASURES, toUnits } from './support.ts';

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
/** What is segmented at once: the segmenter needs the square of a run without blanks. */
const RUN = /\p{Script=Han}{1,100}|[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;

/** A word as it stands in a text, and what it is compared by. */
interface Word {
  readonly text: string;
  readonly units: readonly string[];
}

/** The words of a text that carry meaning, in order. */
function toWords(text: string): readonly Word[] {
  return [...simplify(text).matchAll(RUN)].flatMap(([run]) => {
    const parts = /\p{Script=Han}/u.test(run) ? [...segmenter.segment(run)].map(({ segment }) => segment) : [run];
    return parts.flatMap((part): Word[] => {
      const units = [...toUnits(part)];
      const isMeasure = part.replace(MEASURES, '') === '';
      return isMeasure || units.length === 0 || (part.length === 1 && isStopCharacter(part))
        ? []
        : [{ text: part, units }];
    });
  });
}

const isOrdinary = ({ text }: Word): boolean => !/\d/u.test(text) && !/^\p{Lu}/u.test(text);

const isSame = (one: Word | undefined, other: Word | undefined): boolean =>
  one !== undefined && other !== undefined && one.units.every((unit) => other.units.includes(unit));

/**
 * A word of a fact that nobody said where another one was said: the words before and after it were, and in the evidence another
 * one stands between them, as in "taught physics for years" for "taught chemistry for years".
 * @param known what all that was said is made of, and the names in it
 */
export function findExchanged(
  content: string,
  evidence: readonly WindowTurn[],
  { units: said, names }: { readonly units: ReadonlySet<string>; readonly names: NameSource },
): Doubt | undefined {
  const words = toWords(content);
  const own = new Set(words.flatMap(({ units }) => units));
  const isSaid = ({ units }: Word): boolean => units.every((unit) => said.has(unit));
  const turns = evidence.map((turn) => toWords(turn.text));
  const found = words.find((word, at) => {
    if (isSaid(word) || !isOrdinary(word) || names.has(word.text)) return false;
    return turns.some((row) =>
      row.some((one, place) => {
        const isOther = !one.units.some((unit) => own.has(unit));
        if (!isOther || !isSame(words[at - 1], row[place - 1])) return false;
        const isLast = at === words.length - 1 && isSame(words[at - 2], row[place - 2]);
        return isLast || isSame(words[at + 1], row[place + 1]);
      }),
    );
  });
  return found === undefined ? undefined : { reason: `another word was said for: ${found.text}`, isRefused: false };
}
