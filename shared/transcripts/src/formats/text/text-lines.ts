import { isClock, type Moment, parseClockOn, parseMoment } from '@contextloom/retrieval/time';
import type { FoundTurn, Out, Sample, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { unreadable } from '../unreadable.ts';
import { findDocument } from './document.ts';
import { countFrontMatter, readFrontMatter } from './front-matter.ts';
import { isName } from './speaker-name.ts';
import { findTable } from './table.ts';
import { type ChatLine, findUnknownChat } from './unknown-chat.ts';

const HEADER_TRIM = /^[\s#*\-–—=~>[({（【]+|[\s#*\-–—=~\])}）】:：]+$/gu;
const HEADER_LABEL = /^(?:date|日期|时间)\s*[:：]\s*/iu;
const BRACKETED = /^\s*[[(（【]([^\])）】]{4,48})[\])）】]\s*(?:[-–]\s*)?(.*)$/u;
const BARE_STAMP =
  /^\s*((?:(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ]|\d{4}年\d{1,2}月\d{1,2}日\s?))?(?:(?:凌晨|早上|上午|中午|下午|傍晚|晚上)\s?)?\d{1,2}[:：]\d{2}(?:[:：]\d{2})?)\s+(?:[-–]\s*)?(.*)$/u;
const SPOKEN = /^\s*(?:\*\*|__)?([\p{L}\p{N}_@][^:：\n]{0,39}?)(?:\*\*|__)?\s*[:：](?:\*\*|__)?(.*)$/u;

/** The day or time that a line consists of, as in `# 2024-03-05`, `[2024-03-05 19:20]` or `2024年3月5日 星期二`. */
function readHeader(line: string): Moment | undefined {
  if (line.length > 60 || !/\d{4}/u.test(line)) return undefined;
  return parseMoment(line.replace(HEADER_TRIM, '').replace(HEADER_LABEL, '').replace(HEADER_TRIM, ''));
}

interface Spoken {
  readonly speaker: string;
  readonly text: string;
  /** A date, a time of day or nothing, as it stands before the name. */
  readonly stamp: string | undefined;
}

function readStamp(line: string): { stamp: string | undefined; rest: string } {
  const [, stamp, rest] = BRACKETED.exec(line) ?? BARE_STAMP.exec(line) ?? [];
  const stated = stamp?.trim();
  const isStamp = stated !== undefined && (isClock(stated) || parseMoment(stated) !== undefined);
  return isStamp ? { stamp: stated, rest: rest ?? '' } : { stamp: undefined, rest: line };
}

function readSpoken(line: string): Spoken | undefined {
  const { stamp, rest } = readStamp(line);
  const [, name, text] = SPOKEN.exec(rest) ?? [];
  if (name === undefined || text === undefined || text.startsWith('//') || !isName(name)) return undefined;
  // `下午3:00 …` and `Ann 2:03 PM` tell a time.
  if (/\d$/u.test(name) && /^\d{2}(?!\d)/u.test(text)) return undefined;
  return { speaker: name.trim(), text, stamp };
}

/** Whether a line begins with a name and a colon. */
export function isSpoken(line: string): boolean {
  return readSpoken(line) !== undefined;
}

function toMoment(stamp: string | undefined, day: Moment | undefined): Moment | undefined {
  if (stamp === undefined) return undefined;
  const moment = parseMoment(stamp);
  if (moment !== undefined) return moment;
  return day === undefined ? undefined : parseClockOn(day, stamp);
}

const quote = ({ line, text }: ChatLine): string => `line ${line}, ${JSON.stringify(text.trim().slice(0, 80))}`;

/** Text in a form that is not read would become one turn of the user, whoever said it and when. */
function refuseOtherForms(lines: readonly string[]): void {
  const separator = findTable(lines);
  if (separator !== undefined) throw unreadable(`it is a table with ${separator} between its columns`);
  const isRead = (line: string): boolean => readHeader(line) !== undefined || readSpoken(line) !== undefined;
  const chat = findUnknownChat(lines, isRead);
  if (chat !== undefined) {
    throw unreadable(`it looks like a chat of a form that is not read: ${chat.map(quote).join('; ')}`);
  }
  const document = findDocument(lines, isSpoken);
  if (document !== undefined) {
    throw unreadable(`it is a document and no conversation: ${document.map(quote).join('; ')}`);
  }
}

const ZONED = /(?:Z|[+-]\d{2}:?\d{2})\s*$/u;

/** A moment that a line tells, with its offset or as a clock on a wall. */
function toTime(moment: Moment | undefined, isZoned: boolean): Pick<FoundTurn, 'at' | 'wall'> {
  if (moment === undefined) return {};
  return !isZoned && moment.length > 10 && moment.endsWith('Z') ? { wall: moment.slice(0, 19) } : { at: moment };
}

/**
 * Reads `Name: words` lines (ASCII or full-width colon, with or without `[19:20]` before the name). A line that consists of
 * a date says when the turns below it were said; any other line goes on with the turn above it. Lines before the first
 * name, or a text without names, are the user's.
 * @param date when the turns above the first date were said
 * @throws ContextloomError `invalid` for a table, a document, and lines that look like a chat of another form
 */
export function createSpokenLines(out: Out, sample: Sample, date?: Moment): Sink {
  const above = countFrontMatter(sample.lines);
  const { date: written } = readFrontMatter(sample.lines);
  refuseOtherForms(sample.lines.map((line, at) => (at < above ? '' : line)));
  let open: { turn: Omit<FoundTurn, 'text'>; lines: string[] } | undefined;
  let day = written ?? date;
  let isZoned = date !== undefined;
  let isFresh = true;
  const close = (): void => {
    if (open !== undefined) out.turn({ ...open.turn, text: open.lines.join('\n') });
    open = undefined;
  };
  const begin = (speaker: string | undefined, text: string): void => {
    close();
    open = { turn: { speaker, ...toTime(day, isZoned) }, lines: [text] };
    isFresh = false;
  };
  return createLineSink((line, number) => {
    if (number <= above) return;
    const header = readHeader(line);
    const spoken = header === undefined ? readSpoken(line) : undefined;
    if (header !== undefined) {
      [day, isZoned, isFresh] = [header, ZONED.test(line), true];
    } else if (spoken !== undefined) {
      const at = toMoment(spoken.stamp, day);
      if (at !== undefined && spoken.stamp !== undefined && !isClock(spoken.stamp)) isZoned = ZONED.test(spoken.stamp);
      day = at ?? day;
      begin(spoken.speaker, spoken.text);
    } else if (isFresh && line.trim() !== '') begin(undefined, line);
    else open?.lines.push(line);
  }, close);
}
