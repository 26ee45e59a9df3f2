import { isStopCharacter, simplify } from '@contextloom/retrieval';
import type { WindowTurn } from '../windows/window-turns.ts';
import { toContentTerms } from './evidence.ts';

/** The evidence with what was said right before and after it. */
export function withNeighbours(
  evidence: readonly WindowTurn[],
  turns: readonly WindowTurn[],
  { before, after }: { readonly before: number; readonly after: number },
): readonly WindowTurn[] {
  const places = evidence.map((turn) => turns.indexOf(turn));
  return turns.filter((_turn, at) => places.some((place) => at >= place - before && at <= place + after));
}

/** The evidence with the turn before each of it, which may be the question that it answers. */
export function withQuestions(evidence: readonly WindowTurn[], turns: readonly WindowTurn[]): readonly WindowTurn[] {
  const places = new Set(evidence.map((turn) => turns.indexOf(turn)));
  return turns.filter(({ text }, at) => places.has(at) || (places.has(at + 1) && /[?？]/u.test(text)));
}

/** What a text is made of where words count: stems, and single characters of Chinese, whose words are seldom segmented alike. */
export function toUnits(text: string): ReadonlySet<string> {
  const stems = [...toContentTerms(text.replace(/\p{Script=Han}/gu, ' '))].filter((stem) => !/\d/u.test(stem));
  const characters = (simplify(text).match(/\p{Script=Han}/gu) ?? []).filter((one) => !isStopCharacter(one));
  return new Set([...stems, ...characters]);
}

/** Fewer words than these tell nothing of where they were said. */
const MIN_UNITS = 2;

/** The share of a fact's content words that stand in some turns; numbers and the names of speakers are judged by themselves. */
export function toSupport(content: string, turns: readonly WindowTurn[], speakers: readonly string[]): number {
  const plain = speakers.reduce((text, name) => (name === '' ? text : text.replaceAll(name, ' ')), content);
  const said = toUnits(turns.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n'));
  const units = [...toUnits(plain)];
  return units.length < MIN_UNITS ? 1 : units.filter((unit) => said.has(unit)).length / units.length;
}
