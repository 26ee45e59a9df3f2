import { isClock, type Moment, parseClockOn, parseMoment } from '@contextloom/retrieval/time';
import { type Conversation, type RawTurn, toSessions, toTurn } from '../transcript.ts';
import { isName } from './speaker-name.ts';
import { findTable } from './table.ts';
import { type ChatLine, findUnknownChat } from './unknown-chat.ts';
import { unreadable } from './unreadable.ts';

const HEADER_TRIM = /^[\s#*\-–—=~>[({（【]+|[\s#*\-–—=~\])}）】:：]+$/gu;
const HEADER_LABEL = /^(?:date|日期|时间)\s*[:：]\s*/iu;
const BRACKETED = /^\s*[[(（【]\s*([^\])）】]{4,40})\s*[\])）】]\s*(?:[-–]\s*)?(.*)$/u;
const BARE_STAMP = /^\s*((?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ])?\d{1,2}:\d{2}(?::\d{2})?)\s+(?:[-–]\s*)?(.*)$/u;
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
  const isStamp = stamp !== undefined && (isClock(stamp) || parseMoment(stamp) !== undefined);
  return isStamp ? { stamp, rest: rest ?? '' } : { stamp: undefined, rest: line };
}

function readSpoken(line: string): Spoken | undefined {
  const { stamp, rest } = readStamp(line);
  const [, name, text] = SPOKEN.exec(rest) ?? [];
  if (name === undefined || text === undefined || text.startsWith('//') || !isName(name)) return undefined;
  // `下午3:00 …` and `Ann 2:03 PM` tell a time.
  if (/\d$/u.test(name) && /^\d{2}(?!\d)/u.test(text)) return undefined;
  return { speaker: name.trim(), text, stamp };
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
  const chat = findUnknownChat(lines, (line) => readHeader(line) !== undefined || readSpoken(line) !== undefined);
  if (chat !== undefined) {
    throw unreadable(`it looks like a chat of a form that is not read: ${chat.map(quote).join('; ')}`);
  }
}

/**
 * Reads `Name: words` lines (ASCII or full-width colon, with or without `[19:20]` before the name). A line that consists of
 * a date says when the turns below it were said; any other line goes on with the turn above it. Lines before the first
 * name, or a text without names, are the user's.
 * @param date when the turns above the first date were said
 * @throws ContextloomError `invalid` for a table, and for lines that look like a chat of another form
 */
export function readTextLines(lines: readonly string[], date?: Moment): Conversation {
  refuseOtherForms(lines);
  const turns: { raw: RawTurn; lines: string[] }[] = [];
  let day = date;
  let isFresh = true;
  for (const line of lines) {
    const header = readHeader(line);
    const spoken = header === undefined ? readSpoken(line) : undefined;
    if (header !== undefined) {
      day = header;
      isFresh = true;
    } else if (spoken !== undefined) {
      const at = toMoment(spoken.stamp, day) ?? day;
      day = at ?? day;
      turns.push({ raw: { speaker: spoken.speaker, text: '', at }, lines: [spoken.text] });
      isFresh = false;
    } else if (isFresh && line.trim() !== '') {
      turns.push({ raw: { text: '', at: day }, lines: [line] });
      isFresh = false;
    } else turns.at(-1)?.lines.push(line);
  }
  return {
    sessions: toSessions(
      turns.map(({ raw, lines: said }) => toTurn({ ...raw, text: said.join('\n') })),
      date,
    ),
  };
}
