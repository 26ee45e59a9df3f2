import type { Language } from '@contextloom/contracts';
import { inAnyLanguage, readingWordsOf } from '@contextloom/languages/reading';
import type { Moment } from '@contextloom/retrieval/time';
import type { WindowTurn } from '../domain/windows/window-turns.ts';

/** One message to a model. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What a model is given to read. */
export interface PromptMaterial {
  /** The language that it is asked in, and answers in. */
  readonly language: Language;
  readonly date: Moment | undefined;
  readonly speakers: readonly string[];
  /** The turns before, to understand the others by. */
  readonly before: readonly WindowTurn[];
  readonly turns: readonly WindowTurn[];
}

/** A day with its weekday, since "last Friday" depends on it. */
function toDay(moment: Moment, language: Language): string {
  const day = moment.slice(0, 10);
  return readingWordsOf(language).day(day, new Date(`${day}T00:00:00Z`).getUTCDay());
}

/** Names of speakers that say by themselves that it is no person who speaks. */
const TOLD_ASSISTANT = new RegExp(`^(?:${inAnyLanguage(({ assistants }) => assistants)})$`, 'iu');

function toLines(turns: readonly WindowTurn[], assistant: string): readonly string[] {
  return turns.map(({ label, speaker, voice, text }) => {
    const isTold = TOLD_ASSISTANT.test(speaker);
    const mark = voice === 'assistant' && !isTold ? ` ${assistant}` : '';
    // A turn of several lines must not look like several turns.
    return `[${label}] ${speaker}${mark}: ${text.replace(/\s*\n\s*/gu, ' / ')}`;
  });
}

/** The messages that ask a model for the facts of some turns. */
export function toExtractionMessages({
  language,
  date,
  speakers,
  before,
  turns,
}: PromptMaterial): readonly PromptMessage[] {
  const parts = readingWordsOf(language);
  const lines = [
    parts.date(date === undefined ? undefined : toDay(date, language)),
    parts.people(speakers),
    '',
    ...(before.length === 0 ? [] : [parts.before, ...toLines(before, parts.assistant), '']),
    parts.piece,
    ...toLines(turns, parts.assistant),
  ];
  return [
    { role: 'system', content: parts.instructions },
    { role: 'user', content: lines.join('\n') },
  ];
}

/** The message that asks for an answer again, once, with what was wrong with it. */
export function toRepairMessage(problem: string, language: Language): PromptMessage {
  return { role: 'user', content: readingWordsOf(language).repair(problem) };
}

/** The message that asks for what is missing of an answer that was cut off. */
export function toRestMessage(language: Language): PromptMessage {
  return { role: 'user', content: readingWordsOf(language).rest };
}
