import type { WindowTurn } from '../windows/window-turns.ts';
import type { Doubt } from './doubt.ts';
import { type Ground, toSaid } from './ground.ts';
import { readNumbers, readStatedNumbers } from './numbers/numbers.ts';
import { findSubject, OWN } from './stance/person.ts';

const QUESTION = /[?？吗呢]\s*$/u;

/**
 * A number of a fact that another speaker said of themselves, where the one whom the fact is about said other ones: "I'm thirty" –
 * "I'm 34" make nobody else 34.
 */
export function findBorrowedNumber(
  content: string,
  evidence: readonly WindowTurn[],
  { speakers, turns }: Pick<Ground, 'speakers' | 'turns'>,
): Doubt | undefined {
  const subject = findSubject(content, speakers, turns);
  const own = evidence.filter(({ speaker }) => speaker === subject?.speaker);
  const others = evidence.filter(
    ({ speaker, text }) => speaker !== subject?.speaker && OWN.test(text) && !QUESTION.test(text),
  );
  if (own.length === 0 || others.length === 0) return undefined;
  const [known, theirs] = [readNumbers(toSaid(own)), readNumbers(toSaid(others))];
  const stated = readStatedNumbers(content);
  const borrowed = stated.find(({ value }) => theirs.has(value) && !known.has(value));
  if (borrowed === undefined) return undefined;
  const told = readNumbers(content);
  const isInstead = readStatedNumbers(toSaid(own)).some(({ value }) => value > 1 && !told.has(value));
  return { reason: `number of another speaker: ${borrowed.text}`, isRefused: isInstead };
}

const NAME = "[\\p{L}\\p{N}][\\p{L}\\p{N}'’-]{0,40}";
const ROUTE = new RegExp(`\\bfrom (?:the )?(${NAME})[^.!?\\n]{0,40}? to (?:the )?(${NAME})`, 'giu');
const CHINESE_ROUTE =
  /从([\p{Script=Han}]{2,6}?)[搬飞开坐走骑跑调转出]?[\p{Script=Han}]{0,4}?[到去至回]了?([\p{Script=Han}]{2})/gu;

/** Where something began and ended, in the order in which a text tells it. */
function readRoutes(text: string): readonly (readonly [from: string, to: string])[] {
  return [...text.matchAll(ROUTE), ...text.matchAll(CHINESE_ROUTE)].map(([, from = '', to = '']) => [
    from.toLowerCase(),
    to.toLowerCase(),
  ]);
}

const CHANGE = /(?:\bfrom\b|从)([^.!?。！？\n]{1,24}?)(?:\bto\b|到)([^.!?。！？\n]{1,16})/giu;

/** Numbers between which something changed, in the order in which a text tells them. */
function readNumberChanges(text: string): readonly (readonly [from: string, to: string])[] {
  return [
    ...text
      .normalize('NFKC')
      .replace(/(?<=\d)\.(?=\d)/gu, '·')
      .matchAll(CHANGE),
  ].flatMap(([, ...sides]) => {
    const [from, to] = sides.map((side) => readStatedNumbers(side.replaceAll('·', '.'))[0]?.value);
    return from === undefined || to === undefined ? [] : [[String(from), String(to)] as const];
  });
}

/** A way or a change that a fact tells from its end to its beginning: from Leeds to Cardiff as from Cardiff to Leeds. */
export function findReversed(content: string, evidence: readonly WindowTurn[]): Doubt | undefined {
  const readBoth = (text: string) => [...readRoutes(text), ...readNumberChanges(text)];
  const said = readBoth(toSaid(evidence));
  const isSaid = ([from, to]: readonly [string, string]): boolean => said.some(([a, b]) => a === from && b === to);
  const reversed = readBoth(content).find(([from, to]) => !isSaid([from, to]) && isSaid([to, from]));
  return reversed && { reason: `the other way round: from ${reversed.join(' to ')}`, isRefused: true };
}
