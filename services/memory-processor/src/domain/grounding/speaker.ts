import type { WindowTurn } from '../windows/window-turns.ts';
import type { Doubt } from './doubt.ts';
import { type Ground, toSaid } from './ground.ts';
import { readNumbers, readStatedNumbers } from './numbers/numbers.ts';

/** Speakers by their part in the conversation alone. */
const GENERIC = /^(?:user|human|me|customer|this person|用户|我|顾客|本人)$/iu;
const INTRODUCED =
  /(?:\bI(?:'|’)m|\bI am|\b[Mm]y name(?:(?:'|’)s| is)|\b[Cc]all me)\s+(\p{Lu}\p{L}{1,20})\b|(?:^|[\s,.!:])(\p{Lu}\p{L}{1,20}) here\b|我(?:叫|名叫)([\p{Script=Han}]{2,4}?)(?=[，,。！!、\s]|$)/gu;

type Said = Pick<Ground, 'speakers' | 'turns'>;

/** The speaker whom a fact is about: whose name it begins with, or who gave that name. */
function findSubject(content: string, { speakers, turns }: Said) {
  const start = content.slice(0, 60).toLowerCase();
  const isWhole = (at: number, name: string): boolean => !/^ \p{Lu}/u.test(content.slice(at + name.length));
  const given = turns
    .filter(({ speaker }) => GENERIC.test(speaker))
    .flatMap(({ speaker, text }) =>
      [...text.slice(0, 500).matchAll(INTRODUCED)].map(([, ...names]) => ({
        speaker,
        name: names.find((name) => name !== undefined) ?? '',
      })),
    );
  const named = [...speakers.map((speaker) => ({ speaker, name: speaker })), ...given]
    .map((one) => ({ ...one, at: start.indexOf(one.name.toLowerCase()) }))
    .filter(({ at, name }) => name !== '' && at >= 0 && at <= 20 && isWhole(at, name));
  return named.sort((a, b) => a.at - b.at || b.name.length - a.name.length)[0];
}

const QUESTION = /[?？吗呢]\s*$/u;

/**
 * Whether a fact about one of the speakers is drawn from what others said: all of it where they do not name that speaker, or a
 * number where the speaker said other ones – "I'm thirty", "I'm 34" make nobody else 34.
 */
export function findOtherSpeaker(content: string, evidence: readonly WindowTurn[], said: Said): Doubt | undefined {
  const subject = findSubject(content, said);
  if (subject === undefined) return undefined;
  const own = evidence.filter(({ speaker }) => speaker === subject.speaker);
  const others = evidence.filter(({ speaker }) => speaker !== subject.speaker);
  const [other] = others;
  if (other === undefined) return undefined;
  if (own.length === 0) {
    const isNamed = others.some(({ text }) => text.toLowerCase().includes(subject.name.toLowerCase()));
    return { reason: `said by ${other.speaker}`, isRefused: !isNamed };
  }
  const known = readNumbers(toSaid(own));
  const theirs = readNumbers(toSaid(others.filter(({ text }) => !QUESTION.test(text))));
  const borrowed = readStatedNumbers(content).find(({ value }) => theirs.has(value) && !known.has(value));
  if (borrowed === undefined) return undefined;
  const stated = readNumbers(content);
  const isInstead = readStatedNumbers(toSaid(own)).some(({ value }) => value > 1 && !stated.has(value));
  return { reason: `number of another speaker: ${borrowed.text}`, isRefused: isInstead };
}
