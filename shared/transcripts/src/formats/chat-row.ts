import { parseMoment } from '@contextloom/retrieval/time';
import { fromIso, fromSeconds, toOffsetTime } from './json/json-values.ts';
import { isRecord } from './read.ts';
import type { FoundTurn, Out } from './reader.ts';
import { toHour, toWall } from './text/wall-time.ts';
import { putWords, type Words } from './words.ts';

/** A message as an exporter writes it, its values as text. */
export type Row = Readonly<Record<string, string>>;

/** The columns or keys of exporters by what they tell, in the order in which they are asked. */
export interface Columns {
  readonly speaker: readonly string[];
  readonly text: readonly string[];
  readonly time: readonly string[];
  /** Seconds or milliseconds since 1970, next to a time by the clock on the wall. */
  readonly instant?: readonly string[];
  /** Tells with 1, true or 是 that the user wrote it. */
  readonly mine?: readonly string[];
  readonly kind?: readonly string[];
  readonly chat?: readonly string[];
}

/** The first of some columns that says something. */
export function pick(row: Row, names: readonly string[] = []): string {
  for (const name of names) {
    const value = row[name]?.trim() ?? '';
    if (value !== '' && value !== 'None' && value !== 'null') return value;
  }
  return '';
}

/** An object as a row: numbers and truth values become text, what is nested is left out. */
export function toRow(value: Readonly<Record<string, unknown>>): Row {
  const cells = Object.entries(value).flatMap(([key, cell]): (readonly [string, string])[] => {
    if (typeof cell === 'string') return [[key, cell]];
    if (typeof cell === 'number' || typeof cell === 'boolean') return [[key, String(cell)]];
    // Some wrap the words: {"msg": "…", "src": "…"}.
    return isRecord(cell) && typeof cell['msg'] === 'string' ? [[key, cell['msg']]] : [];
  });
  return Object.fromEntries(cells);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME =
  /^(\d{4}|\d{2})[-/.年](\d{1,2})[-/.月](\d{1,2})日?[T\s]*(凌晨|早上|上午|中午|下午|傍晚|晚上)?\s?(\d{1,2})[:：](\d{2})(?:[:：](\d{2}))?(?:\.\d+)?$/u;
/** `05/13/2023 2:04 PM`, the order of the United States; with dots, or without a half of the day, the day comes first. */
const TIME_NUMBERS = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2}),? (\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?([AP])M)?$/iu;
/** `13-May-23 02:04 PM`. */
const TIME_NAMED = /^(\d{1,2})-([a-z]{3})-(\d{4}|\d{2}) (\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?([AP])M)?$/iu;

const toYear = (year: string | undefined): number => (Number(year) < 100 ? 2000 + Number(year) : Number(year));

interface Parts {
  readonly year: string | undefined;
  readonly month: number;
  readonly day: string | undefined;
  readonly clock: readonly (string | undefined)[];
}

function toWallTime({ year, month, day, clock }: Parts): string | undefined {
  const [hour, minute, second = '0', half] = clock;
  return toWall({
    year: toYear(year),
    month,
    day: Number(day),
    hour: toHour(Number(hour), half),
    minute: Number(minute),
    second: Number(second),
  });
}

/** The time by the clock on the wall that a text tells; undefined when there is no such day or time. */
export function toRowWall(text: string): string | undefined {
  const [whole, year, month, day, half, hour, minute, second] = TIME.exec(text) ?? [];
  if (whole !== undefined) return toWallTime({ year, month: Number(month), day, clock: [hour, minute, second, half] });
  const named = TIME_NAMED.exec(text);
  if (named !== null)
    return toWallTime({
      year: named[3],
      day: named[1],
      clock: named.slice(4, 8),
      month: MONTHS.indexOf((named[2] ?? '').toLowerCase()) + 1,
    });
  const [all, first, mark, next, last, ...clock] = TIME_NUMBERS.exec(text) ?? [];
  if (all === undefined) return undefined;
  const isMonthFirst = mark === '/' && Number(first) <= 12 && (clock[3] !== undefined || Number(next) > 12);
  const [own, other] = isMonthFirst ? [first, next] : [next, first];
  return toWallTime({ year: last, month: Number(own), day: other, clock });
}

/** The time that a text tells; undefined for a day or time that there is not, nothing for an empty text. */
export function toRowTime(text: string): Pick<FoundTurn, 'at' | 'wall'> | undefined {
  if (text === '') return {};
  const instant = toInstantOf(text);
  if (instant !== undefined) return { at: instant };
  const iso = fromIso(text.replace(/(\.\d{3})\d+/u, '$1'));
  if (iso.at !== undefined || iso.wall !== undefined) return iso;
  const day = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? parseMoment(text) : undefined;
  if (day !== undefined) return { at: day };
  const wall = toRowWall(text);
  return wall === undefined ? undefined : { wall };
}

function toInstantOf(text: string): string | undefined {
  if (/^\d{10}(?:\.\d+)?$/u.test(text)) return fromSeconds(text);
  return /^\d{13}$/u.test(text) ? fromSeconds(Number(text) / 1000) : undefined;
}

/** Types of messages that are words, as numbers and names of exporters. */
const WORDS =
  /^(?:1|49|244813135921|文本|文本消息|粘贴的文本|text|文字|引用|引用消息|引用回复|带有引用的文本消息|回复|reply|quote|接龙|群公告)$/iu;

interface RowOptions {
  readonly columns: Columns;
  readonly at: string;
  /** Who speaks where the row does not tell. */
  readonly other?: string | undefined;
  readonly toWords: (text: string) => Words;
}

/** Hands on the turn of one row; what is no words is counted, what cannot be read is named. */
export function readRow(row: Row, { columns, at, other, toWords }: RowOptions, out: Out) {
  const time = toRowTime(pick(row, columns.time));
  if (time === undefined) return out.fault(at, 'there is no such date or time');
  const kind = pick(row, columns.kind);
  const text = (columns.text.map((name) => row[name] ?? '').find((value) => value.trim() !== '') ?? '').trim();
  if (kind !== '' && !WORDS.test(kind)) return out.leftOut(`media or system message (${kind.slice(0, 40)})`, at, text);
  // Messages that are no words stand there as XML.
  if (/^<(?:\?xml|msg|sysmsg)\b/u.test(text) && /<\/(?:msg|sysmsg)>$/u.test(text.slice(-20)))
    return out.leftOut('media or system message', at, text);
  const speaker = pick(row, columns.speaker);
  const isMine = speaker === '我' || /^(?:1|true|是)$/iu.test(pick(row, columns.mine));
  const instant = toInstantOf(pick(row, columns.instant));
  const turn = {
    speaker: speaker || (isMine ? undefined : other),
    role: isMine ? ('user' as const) : ('participant' as const),
    ...(time.wall === undefined ? time : toOffsetTime(time.wall, instant)),
  };
  putWords(toWords(text), turn, at, out);
}
