import type { Moment } from '@contextloom/retrieval/time';
import type { WindowTurn } from '../domain/windows/window-turns.ts';
import { englishInstructions, englishParts } from './extraction-en.ts';
import { chineseInstructions, chineseParts } from './extraction-zh.ts';

/** One message to a model. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What a model is given to read. */
export interface PromptMaterial {
  /** The language that it is asked in, and answers in. */
  readonly language: 'en' | 'zh';
  readonly date: Moment | undefined;
  readonly speakers: readonly string[];
  /** The turns before, to understand the others by. */
  readonly before: readonly WindowTurn[];
  readonly turns: readonly WindowTurn[];
}

const WEEKDAYS = {
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  zh: ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六'],
} as const;

/** A day with its weekday, since "last Friday" is told by it. */
function toDay(moment: Moment, language: PromptMaterial['language']): string {
  const day = moment.slice(0, 10);
  const weekday = WEEKDAYS[language][new Date(`${day}T00:00:00Z`).getUTCDay()] ?? '';
  return language === 'zh' ? `${day}（${weekday}）` : `${day} (${weekday})`;
}

function toLines(turns: readonly WindowTurn[], assistant: string): readonly string[] {
  return turns.map(({ label, speaker, voice, text }) => {
    const isTold = /^(?:assistant|助手)$/iu.test(speaker);
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
  const [instructions, parts] =
    language === 'zh' ? [chineseInstructions, chineseParts] : [englishInstructions, englishParts];
  const lines = [
    parts.date(date === undefined ? undefined : toDay(date, language)),
    parts.people(speakers),
    '',
    ...(before.length === 0 ? [] : [parts.before, ...toLines(before, parts.assistant), '']),
    parts.piece,
    ...toLines(turns, parts.assistant),
  ];
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: lines.join('\n') },
  ];
}

/** The message that asks for an answer again, once, with what was wrong with it. */
export function toRepairMessage(problem: string, language: PromptMaterial['language']): PromptMessage {
  return { role: 'user', content: (language === 'zh' ? chineseParts : englishParts).repair(problem) };
}

/** The message that asks for what is missing of an answer that was cut off. */
export function toRestMessage(language: PromptMaterial['language']): PromptMessage {
  return { role: 'user', content: (language === 'zh' ? chineseParts : englishParts).rest };
}
