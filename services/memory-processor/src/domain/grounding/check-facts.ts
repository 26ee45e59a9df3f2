import { simplify } from '@contextloom/retrieval';
import type { Moment } from '@contextloom/retrieval/time';
import { isInstruction } from '@contextloom/safety';
import type { ExtractionContext, Fact, RejectedFact } from '../extractor.ts';
import type { EpisodeWindow } from '../windows/episodes.ts';
import { MAX_WINDOW_TURNS, type WindowTurn } from '../windows/window-turns.ts';
import type { FactDraft } from './answer/fact-draft.ts';
import type { Doubt } from './doubt.ts';
import { findEvidence, inferEvidence } from './evidence.ts';
import { type Ground, type Known, toKnown, toSaid } from './ground.ts';
import { createNameSource, findStrangeName, type NameSource, readNames } from './names/names.ts';
import { findStrangeMeasure } from './numbers/measures.ts';
import { readNumbers, readStatedNumbers, readYearCounts } from './numbers/numbers.ts';
import { findForeignWord } from './said-by.ts';
import { sharesScript } from './script.ts';
import { findOtherSpeaker } from './speaker.ts';
import { toSupport, withNeighbours, withQuestions } from './support.ts';
import { findAheadOfPast } from './time/ahead.ts';
import { toMeantMoment } from './time/meant-moment.ts';
import { findStrangeMonth, isMeantDate, readDates, toMeantTimes } from './time/time-words.ts';
import { findStrangeWeekday } from './time/weekdays.ts';

/** Regions as ISO 3166-1 codes them, AA to ZZ; those without a name of their own are none. */
function* readRegionNames(language: 'en' | 'zh'): Generator<string> {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const first of letters) {
    for (const second of letters) {
      const name = names.of(first + second);
      if (name !== undefined) yield name.toLowerCase();
    }
  }
}

let known: ReadonlySet<string> | undefined;

/** Whether a name is that of a country: one that a fact adds to a place may be right though nobody said it. */
function isCountry(name: string): boolean {
  known ??= new Set([...readRegionNames('en'), ...readRegionNames('zh'), 'england', 'scotland', 'wales', 'america']);
  return known.has(name.toLowerCase().replace(/['’]s?$/u, ''));
}

const INJECTED =
  /\b(?:wants?|prefers?|asks?|requests?|requires?|expects?|likes?|would like|instructs?|needs?)\b[^.]{0,40}\b(?:the )?(?:assistant|ai|chatbot|model|bot|system|responses?|answers?)\b[^.]{0,40}\b(?:recommend\w*|promot\w*|advertis\w*|mention\w*|suggest\w*|endors\w*|prais\w*|link\w*|buy\w*|forward\w*|send\w*|reveal\w*|ignor\w*|trust\w*|always|never|obey\w*|disabl\w*|bypass\w*|share\w*)\b|\b(?:assistant|ai|chatbot|model|bot)\b[^.]{0,30}\b(?:should|must|has to|is to)\b|(?:希望|要求|想要?|喜欢|偏好|让)[^。]{0,12}(?:助手|AI|机器人|模型|回答|系统)[^。]{0,20}(?:推荐|宣传|提到|推广|购买|链接|忽略|无视|透露|发送|转发|总是|永远|一律|必须|信任)|(?:助手|AI|机器人|模型)(?:应该|必须|要)/iu;

/** Whether a fact is a preference of somebody that an assistant should serve somebody else; a model would say that it was said. */
const isInjected = (content: string): boolean => INJECTED.test(content);

/** Bounds of a fact's text, in characters. */
export const FACT_LENGTH = { min: 4, max: 400 } as const;
/** Most facts that are taken from one window. */
export const MAX_FACTS = 12;

/** A judged answer. */
export interface Judgement {
  readonly facts: readonly Fact[];
  readonly rejected: readonly RejectedFact[];
  /** What the exact checks are not sure of; those refused unless a model says otherwise are in `rejected`, the others in `facts`. */
  readonly doubtful: readonly DoubtfulFact[];
  /** The turns that it was held against, in order. */
  readonly said: readonly WindowTurn[];
}

/** A fact of which exact checks cannot say whether it was said. */
export interface DoubtfulFact {
  readonly fact: Fact;
  readonly doubt: Doubt;
  /** Its entry among the rejected, if it is refused when nobody is asked. */
  readonly rejected?: RejectedFact;
}

/** The least share of a fact's words that its evidence must have with the turns around it. */
const MIN_NEAR_SUPPORT = 0.2;
/** The least share that all that was said must have. Both were set on the facts of five conversations. */
const MIN_SUPPORT = 0.3;
/** Below this share a second reader is asked. */
const DOUBTFUL_SUPPORT = 0.45;

/** A number of the fact that nobody said and no date explains. */
function findStrangeNumber(content: string, said: string, date: Moment | undefined): string | undefined {
  const known = readNumbers(said);
  const sums = [
    ...(/\bhalf\b|一半/iu.test(said) ? [...known].map((value) => value / 2) : []),
    ...(/\b(?:each|one) way\b|单程/iu.test(said) ? [...known].map((value) => value * 2) : []),
  ];
  const year = Number((date ?? '').slice(0, 4));
  const meant = date === undefined ? [] : toMeantTimes(said, date);
  const dates = readDates(content, year).filter((named) => date !== undefined && isMeantDate(named, meant));
  const rest = dates.reduce((text, { text: shown }) => text.normalize('NFKC').replace(shown, ' '), content);
  // An age, or years ago or to come, tells a year.
  const ages = readYearCounts(said);
  // So does an age of somebody whose year of birth was said; and a year tells how long something has been.
  const years = [...known].filter((one) => one > 1_900 && one <= year);
  // The age now and the age then tell the year of then.
  const between = ages.flatMap((now) => ages.flatMap((then) => (then < now ? [year - now + then] : [])));
  const isYear = (value: number): boolean =>
    between.some((one) => value === one || value === one - 1) ||
    ages.some((one) => [year - one, year - one - 1, year + one, ...years.map((from) => from + one)].includes(value)) ||
    (value < 120 && years.some((from) => value === year - from || value === year - from - 1));
  const isKnown = (value: number): boolean =>
    value === 0 || value === year || known.has(value) || isYear(value) || sums.includes(value);
  return readStatedNumbers(rest).find(({ value }) => !isKnown(value))?.text;
}

/** What is wrong with a draft before its words are looked at. */
function findFormFault({ content, evidence: named }: FactDraft, evidence: readonly WindowTurn[], { turns }: Ground) {
  const length = [...content].length;
  if (length < FACT_LENGTH.min) return `too short: ${length} characters`;
  if (length > FACT_LENGTH.max) return `too long: ${length} characters`;
  if (isInjected(content)) return 'quarantined: it speaks for somebody who wants something of the assistant';
  if (isInstruction(content)) return 'quarantined: it reads as an instruction to the assistant';
  if (!sharesScript(content, turns.map(({ text }) => text).join('\n')))
    return 'not in the language of the conversation';
  if (evidence.length === 0) {
    return named.length === 0 ? 'no evidence' : `evidence does not exist: ${named.join(', ').slice(0, 80)}`;
  }
  return findForeignWord(content, evidence);
}

/** A number of the fact that only the question has, to which the answer tells another one. */
function findCorrected(content: string, evidence: readonly WindowTurn[], all: readonly WindowTurn[]) {
  const [own, near] = [readNumbers(toSaid(evidence)), readNumbers(toSaid(withQuestions(evidence, all)))];
  const answers = evidence.some(({ text }) => readNumbers(text.split(/[.!?。！？,，]/u)[0] ?? '').size > 0);
  if (!answers || near.size === own.size) return undefined;
  const isFromOthers = (value: number): boolean => near.has(value) && !own.has(value);
  const ordinal =
    /\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b|第[一二三四五六七八九十\d]+/iu;
  const stated = [...readStatedNumbers(content).map(({ value, text }) => ({ value, text }))];
  const [word] = ordinal.exec(content) ?? [];
  const ranked = word === undefined ? [] : [...readNumbers(word)].slice(0, 1).map((value) => ({ value, text: word }));
  return [...stated, ...ranked].find(({ value }) => value > 1 && value < 1_900 && isFromOthers(value))?.text;
}

/** Whether a name is the country of a place that was said: nobody may have told it, and it may well be right. */
function isPlacedCountry(name: string, content: string, names: NameSource, speakers: readonly string[]): boolean {
  const others = readNames(content).filter((one) => one !== name && !speakers.includes(one));
  return isCountry(name) && others.some((one) => names.has(one));
}

/** What of a draft nobody said; undefined when all was said. */
function findInvention({ content }: FactDraft, evidence: readonly WindowTurn[], ground: Known): string | undefined {
  const { all, names, speakers, date } = ground;
  const name = findStrangeName(content, names);
  if (name !== undefined && !isPlacedCountry(name, content, names, speakers))
    return `name not in the conversation: ${name.slice(0, 80)}`;
  const near = toSaid(withQuestions(evidence, all));
  const number = findStrangeNumber(content, near, date);
  if (number !== undefined) return `number not in the evidence: ${number}`;
  const corrected = findCorrected(content, evidence, all);
  if (corrected !== undefined) return `number not in the evidence: ${corrected}`;
  const measure = findStrangeMeasure(content, near);
  if (measure !== undefined) return `number not in the evidence: ${measure}`;
  const day = findStrangeWeekday(content, near);
  if (day !== undefined) return `weekday not in the evidence: ${day}`;
  const month = findStrangeMonth(content, near, date);
  return month === undefined ? undefined : `month not in the evidence: ${month}`;
}

/** A name that was said, but not in the evidence or right before it. */
function findFarName({ content }: FactDraft, evidence: readonly WindowTurn[], ground: Known): Doubt | undefined {
  const near = withNeighbours(evidence, ground.all, { before: 2, after: 0 });
  const names = createNameSource([toSaid(near), ...ground.speakers]);
  const name = findStrangeName(content, names);
  if (name === undefined) return undefined;
  if (isPlacedCountry(name, content, names, ground.speakers))
    return { reason: `country not said: ${name}`, isRefused: false };
  return { reason: `name not in the evidence: ${name.slice(0, 80)}`, isRefused: false };
}

/** How well a draft's words stand in what was said. */
function findSupportDoubt({ content }: FactDraft, evidence: readonly WindowTurn[], ground: Known): Doubt | undefined {
  const { all } = ground;
  const near = toSupport(content, withNeighbours(evidence, all, { before: 2, after: 1 }), ground.speakers);
  if (near >= DOUBTFUL_SUPPORT) return undefined;
  const isRefused = near < MIN_NEAR_SUPPORT || toSupport(content, all, ground.speakers) < MIN_SUPPORT;
  return { reason: 'its words are not in the evidence', isRefused };
}

/** Why a draft is no fact, or what a model may say otherwise of; neither when it stands as it is. */
function judge(draft: FactDraft, evidence: readonly WindowTurn[], ground: Known): { fault?: string; doubt?: Doubt } {
  const { content } = draft;
  const fault = findFormFault(draft, evidence, ground) ?? findInvention(draft, evidence, ground);
  if (fault !== undefined) return { fault };
  const doubts = [
    findFarName(draft, evidence, ground),
    findOtherSpeaker(content, evidence, ground),
    findAheadOfPast(content, toSaid(withQuestions(evidence, ground.all)), ground.date),
    findSupportDoubt(draft, evidence, ground),
  ].filter((one) => one !== undefined);
  const doubt = doubts.find(({ isRefused }) => isRefused) ?? doubts[0];
  return doubt === undefined ? {} : { doubt };
}

function toFact(draft: FactDraft, evidence: readonly WindowTurn[], { date }: Ground): Fact {
  const { content, importance, memoryType, valence, tags } = draft;
  const said = evidence.map(({ text }) => text).join('\n');
  const began = toMeantMoment(draft.occurredAt, said, date);
  const end = toMeantMoment(draft.endedAt, said, date);
  const ended = end !== undefined && began !== undefined && end.at < began.at ? undefined : end;
  return {
    content,
    importance,
    memoryType,
    tags,
    evidence: [...new Set(evidence.map(({ label }) => label))],
    ...(valence !== undefined && { valence }),
    ...(began !== undefined && { occurredAt: began.at }),
    ...(began?.on !== undefined && { occurredOn: began.on }),
    ...(ended !== undefined && { endedAt: ended.at }),
    ...(ended?.on !== undefined && { endedOn: ended.on }),
  };
}

/** What two facts share that differ in case, blanks and punctuation alone; a blank stays, so that 3.5 is not 35. */
const toKey = (content: string): string =>
  content
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim();

const toRejected = ({ content, importance }: Pick<Fact, 'content' | 'importance'>, reason: string): RejectedFact => ({
  content: content.slice(0, 500),
  importance,
  reason,
});

/**
 * Holds what a model wrote against what was said, as far as that is exact: the evidence exists and is not the assistant's alone,
 * numbers, weekdays and months stand in it or in a date that its words can mean, names in what was said, and the speaker whom a
 * fact is about says it. A time that the words cannot mean is dropped; a fact that fails otherwise is rejected with the reason.
 * What these checks are not sure of is in `doubtful` too; whether words were meant as a fact is asked of a model.
 */
export function judgeFacts(drafts: readonly FactDraft[], given: Ground): Judgement {
  const ground = toKnown(given);
  const facts: Fact[] = [];
  const rejected: RejectedFact[] = [];
  const doubtful: DoubtfulFact[] = [];
  const seen = new Set<string>();
  for (const draft of drafts) {
    const { turns } = ground;
    const evidence =
      draft.evidence.length === 0 ? inferEvidence(draft.content, turns) : findEvidence(draft.evidence, turns);
    const isRepeat = seen.has(toKey(draft.content));
    seen.add(toKey(draft.content));
    if (isRepeat) {
      rejected.push(toRejected(draft, 'said twice'));
      continue;
    }
    const { fault, doubt } = judge({ ...draft, content: simplify(draft.content) }, evidence, ground);
    const surplus = facts.length >= ground.maxFacts ? `more than ${ground.maxFacts} facts of one piece` : undefined;
    const final = fault ?? surplus;
    if (final !== undefined) {
      rejected.push(toRejected(draft, final));
      continue;
    }
    const fact = toFact(draft, evidence, ground);
    const refused = doubt?.isRefused ? toRejected(draft, doubt.reason) : undefined;
    if (refused === undefined) facts.push(fact);
    else rejected.push(refused);
    if (doubt !== undefined) doubtful.push({ fact, doubt, ...(refused && { rejected: refused }) });
  }
  return { facts, rejected, doubtful, said: [...given.before, ...given.turns] };
}

/** The same for the facts of one window. */
export function checkFacts(drafts: readonly FactDraft[], window: EpisodeWindow, context: ExtractionContext): Judgement {
  return judgeFacts(drafts, {
    turns: window.turns,
    before: context.previous?.turns ?? [],
    speakers: context.speakers,
    date: window.date,
    maxFacts: MAX_FACTS * Math.max(1, Math.ceil(window.turns.length / MAX_WINDOW_TURNS)),
  });
}
