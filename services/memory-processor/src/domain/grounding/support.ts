import { isStopCharacter, simplify, toBaseForms } from '@contextloom/retrieval';
import type { WindowTurn } from '../windows/window-turns.ts';
import { toContentTerms } from './evidence.ts';
import { isCountry } from './names/countries.ts';
import { createNameSource } from './names/names.ts';
import { readNumbers, readStatedNumbers } from './numbers/numbers.ts';

/** Turns around the evidence that help to understand it: the question before an answer. */
const NEIGHBOURS = { before: 2, after: 1 };

/** The evidence with what was said right before and after it. */
export function withNeighbours(
  evidence: readonly WindowTurn[],
  turns: readonly WindowTurn[],
  { before, after } = NEIGHBOURS,
): readonly WindowTurn[] {
  const places = evidence.map((turn) => turns.indexOf(turn));
  return turns.filter((_turn, at) => places.some((place) => at >= place - before && at <= place + after));
}

/** The evidence with the turn before each of it, which may be the question that it answers. */
export function withQuestions(evidence: readonly WindowTurn[], turns: readonly WindowTurn[]): readonly WindowTurn[] {
  const places = new Set(evidence.map((turn) => turns.indexOf(turn)));
  return turns.filter(({ text }, at) => places.has(at) || (places.has(at + 1) && /[?？]/u.test(text)));
}

const toText = (turns: readonly WindowTurn[]): string =>
  turns.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n');

/** Words that stand for each other in what people say and in what is written of it; the first of each stands for all. */
const SYNONYMS = new Map(
  `mother mom mum mama mommy|father dad daddy papa|child kid son daughter baby|grandmother grandma granny nana|grandfather grandpa|spouse husband wife partner
  movie film|work job employ career|buy purchase bought|begin start|like love enjoy adore|rent rental|happy glad|big huge large|adopt rescue|doctor physician
  travel trip fly flew visit go went|live reside|study learn taught|child children|marry wed wedding|pregnant expecting expect|home house place flat apartment|photo picture pic
  return back|marry wed|husband|own have|baby infant|boss manager|smoke cigarette|thank appreciate grateful gratitude value
  support supportive help assist|encourage cheer motivate|proud pride|inspire inspiration`
    .split('|')
    .flatMap((row) => {
      const stems = row
        .trim()
        .split(/\s+/u)
        .map((word) => [...toContentTerms(word)][0] ?? word);
      return stems.map((stem): [string, string] => [stem, stems[0] ?? stem]);
    }),
);
/** Chinese words that stand for each other, the written one first. */
const CHINESE_SYNONYMS: readonly (readonly [written: string, spoken: string])[] = [
  ['母亲', '妈'],
  ['父亲', '爸'],
  ['丈夫', '老公'],
  ['妻子', '老婆'],
  ['太太', '老婆'],
  ['香烟', '烟'],
];
/** Words of dates and measures, which are judged as numbers. For replacing alone: it keeps its place. */
export const MEASURES =
  /\b(?:early|late|mid|around|about|approximately|ago|years?|months?|weeks?|days?|hours?|minutes?|times?|currently|previously|recently|now|born|also|user|people|express(?:es|ed)?|mention(?:s|ed)?|conversation|particularly|specifically|finds?)\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|出生|已经|正在|目前|现在|一直|曾经|[年月日号点分个次用户了的在]/giu;

/** What a text is made of where words count: stems, and single characters of Chinese, whose words are seldom told alike. */
export function toUnits(text: string): ReadonlySet<string> {
  const plain = text.replace(/\p{Script=Han}/gu, ' ').replace(/\p{Ll}{3,12}/gu, (word) => toBaseForms(word)[0] ?? word);
  const stems = [...toContentTerms(plain)].map((stem) => SYNONYMS.get(stem) ?? stem);
  const characters = (
    CHINESE_SYNONYMS.reduce((plain, [word, same]) => plain.replaceAll(word, same), simplify(text)).match(
      /\p{Script=Han}/gu,
    ) ?? []
  ).filter((one) => !isStopCharacter(one));
  return new Set([...stems, ...characters]);
}

/** A year is judged as a date. */
const isCount = (value: number): boolean => value < 1_900 || value > 2_100;

/** What a fact is made of where it is compared with single clauses: its words, and the numbers that it states. */
export function toFactUnits(content: string): ReadonlySet<string> {
  const plain = content.replace(/\d{4}年(?:\d{1,2}月)?/gu, ' ');
  const words = [...toUnits(plain.replace(MEASURES, ' '))].filter((unit) => !/\d/u.test(unit));
  const numbers = readStatedNumbers(plain).flatMap(({ value }) => (isCount(value) ? [`#${value}`] : []));
  return new Set([...words, ...numbers]);
}

/** The same for what was said: every number that its words may mean. */
export function toSaidUnits(text: string): ReadonlySet<string> {
  return new Set([...toUnits(text), ...[...readNumbers(text)].map((value) => `#${value}`)]);
}

/** Fewer words than these tell nothing of where they were said. */
const MIN_UNITS = 2;

/** The units of words in a row that were said as one acronym: emergency room as ER. */
function toSpelledOut(content: string, said: string): readonly string[] {
  const acronyms = said.match(/\b\p{Lu}{2,5}\b/gu) ?? [];
  const words = content.match(/\p{L}+/gu) ?? [];
  const initials = words.map((word) => (word[0] ?? '').toUpperCase()).join('');
  return acronyms.flatMap((acronym) => {
    const at = initials.indexOf(acronym);
    return at < 0 ? [] : [...toUnits(words.slice(at, at + acronym.length).join(' '))];
  });
}

/** The share of a fact's content words, without names and measures, that stand in some turns; 1 when it has next to none. */
export function toSupport(content: string, turns: readonly WindowTurn[], speakers: readonly string[]): number {
  const plain = speakers.reduce((text, name) => (name === '' ? text : text.replaceAll(name, ' ')), content);
  const text = toText(turns);
  const names = createNameSource([text]);
  // Names are judged by themselves: one that was said in another form is no word that was not.
  const unnamed = plain.replace(/\p{Lu}[\p{L}'’-]*/gu, (word) => (names.has(word) || isCountry(word) ? ' ' : word));
  const units = [...toUnits(unnamed.replace(MEASURES, ' '))].filter((unit) => !/\d/u.test(unit));
  const said = new Set(toUnits(text));
  if (units.length < MIN_UNITS) return 1;
  // A number that was said tells where the fact comes from as a word does.
  const told = readNumbers(text);
  const known = new Set(readStatedNumbers(content).flatMap(({ value }) => (told.has(value) ? [value] : []))).size;
  for (const unit of toSpelledOut(unnamed, text)) said.add(unit);
  return (units.filter((unit) => said.has(unit)).length + known) / (units.length + known);
}
