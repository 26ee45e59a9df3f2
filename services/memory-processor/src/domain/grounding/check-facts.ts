import { isInstruction } from '@contextloom/retrieval/safety';
import type { EpisodeWindow } from '../episodes.ts';
import type { ExtractionContext, Fact, RejectedFact } from '../extractor.ts';
import type { WindowTurn } from '../window-turns.ts';
import { findEvidence, inferEvidence } from './evidence.ts';
import type { FactDraft } from './fact-draft.ts';
import { createNameSource, type NameSource, readNames } from './names.ts';
import { readNumbers, readStatedNumbers } from './numbers.ts';
import { sharesScript } from './script.ts';
import { isMeant, readDates, toMeantMoment, toMeantTimes } from './time-words.ts';

/** Bounds of a fact's text, in characters. */
export const FACT_LENGTH = { min: 4, max: 400 } as const;
/** Most facts that are taken from one window. */
export const MAX_FACTS = 12;

/** A judged answer. */
export interface Judgement {
  readonly facts: readonly Fact[];
  readonly rejected: readonly RejectedFact[];
}

/** What a fact is held against. */
interface Ground {
  readonly window: EpisodeWindow;
  readonly names: NameSource;
}

/** A number of the fact that nobody said and no date explains. */
function findStrangeNumber(content: string, said: string, { window: { date } }: Ground): string | undefined {
  const known = readNumbers(said);
  const year = Number((date ?? '').slice(0, 4));
  const meant = date === undefined ? [] : toMeantTimes(said, date);
  const dates = readDates(content, year).filter((named) => date !== undefined && isMeant(named, meant));
  const rest = dates.reduce((text, { text: shown }) => text.normalize('NFKC').replace(shown, ' '), content);
  const isKnown = (value: number): boolean =>
    value === 0 || value === year || known.has(value) || [...known].some((one) => one <= 120 && year - one === value);
  return readStatedNumbers(rest).find(({ value }) => !isKnown(value))?.text;
}

/** Why a draft is no fact; undefined when it is one. */
function findFault(draft: FactDraft, evidence: readonly WindowTurn[], ground: Ground): string | undefined {
  const { content } = draft;
  const { window, names } = ground;
  const length = [...content].length;
  if (length < FACT_LENGTH.min) return `too short: ${length} characters`;
  if (length > FACT_LENGTH.max) return `too long: ${length} characters`;
  if (isInstruction(content)) return 'quarantined: it reads as an instruction to the assistant';
  if (!sharesScript(content, window.turns.map(({ text }) => text).join('\n')))
    return 'not in the language of the conversation';
  if (evidence.length === 0) {
    return draft.evidence.length === 0
      ? 'no evidence'
      : `evidence does not exist: ${draft.evidence.join(', ').slice(0, 80)}`;
  }
  if (evidence.every(({ voice }) => voice === 'assistant')) return 'said by the assistant alone';
  const said = evidence.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n');
  const name = readNames(content).find((one) => !names.has(one));
  if (name !== undefined) return `name not in the conversation: ${name.slice(0, 80)}`;
  const number = findStrangeNumber(content, said, ground);
  return number === undefined ? undefined : `number not in the evidence: ${number}`;
}

function toFact(draft: FactDraft, evidence: readonly WindowTurn[], { window }: Ground): Fact {
  const { content, importance, memoryType, valence, tags } = draft;
  const said = evidence.map(({ text }) => text).join('\n');
  const occurredAt = toMeantMoment(draft.occurredAt, said, window.date);
  return {
    ...{ content, importance, memoryType, tags, evidence: [...new Set(evidence.map(({ label }) => label))] },
    ...(valence !== undefined && { valence }),
    ...(occurredAt !== undefined && { occurredAt }),
  };
}

/** What two facts share that differ in case, blanks and punctuation alone; a blank stays, so that 3.5 is not 35. */
const toKey = (content: string): string =>
  content
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim();

/**
 * Holds what a model wrote of a window against what was said in it: the evidence exists and is not the assistant's alone,
 * numbers stand in the evidence or in a date that its words can mean, names in the window or the one before it. A time that
 * the words cannot mean is dropped; a fact that fails otherwise is rejected with the reason.
 */
export function checkFacts(drafts: readonly FactDraft[], window: EpisodeWindow, context: ExtractionContext): Judgement {
  const texts = [window.content, context.previous?.content ?? '', ...context.speakers];
  const ground: Ground = { window, names: createNameSource(texts) };
  const facts: Fact[] = [];
  const rejected: RejectedFact[] = [];
  const seen = new Set<string>();
  for (const draft of drafts) {
    const evidence =
      draft.evidence.length === 0
        ? inferEvidence(draft.content, window.turns)
        : findEvidence(draft.evidence, window.turns);
    const isRepeat = seen.has(toKey(draft.content));
    const surplus = facts.length >= MAX_FACTS ? `more than ${MAX_FACTS} facts of one piece` : undefined;
    const fault = isRepeat ? 'said twice' : (findFault(draft, evidence, ground) ?? surplus);
    seen.add(toKey(draft.content));
    if (fault === undefined) facts.push(toFact(draft, evidence, ground));
    else rejected.push({ content: draft.content.slice(0, 500), importance: draft.importance, reason: fault });
  }
  return { facts, rejected };
}
