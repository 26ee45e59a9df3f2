import { toRowWall } from '../chat-row.ts';
import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { isSender } from '../text/unknown-chat.ts';
import { putWords } from '../words.ts';
import { toChineseWords } from './chinese-words.ts';

/** Whether a name stands in the line above the one with the time, or in the line below. */
type Place = 'above' | 'below';

const MAX_STAMP = 32;
const MAX_NAME = 30;

/** `3月5日 17:00` tells no year. */
const YEARLESS = /^\d{1,2}月\d{1,2}日\s?\d{1,2}:\d{2}(?::\d{2})?$/u;
/** A day of any year is one of a leap year. */
const LEAP_YEAR = '2000';

/** The time that a line consists of: a day and a clock. Without a year it has none, unless one is given. */
function toStamp(line: string, year?: string): { readonly wall?: string } | undefined {
  if (line.length > MAX_STAMP || !line.includes(':')) return undefined;
  const isYearless = YEARLESS.test(line.trim());
  const wall = toRowWall(isYearless ? `${year ?? LEAP_YEAR}年${line.trim()}` : line.trim());
  if (wall === undefined) return undefined;
  return isYearless && year === undefined ? {} : { wall };
}

const isBlank = (line: string | undefined): boolean => (line ?? '').trim() === '';
const isNameLine = (line: string): boolean =>
  line.trim() !== '' && line.trim().length <= MAX_NAME && !/[:：]/u.test(line) && isSender(line.trim());

/** Where names stand; undefined when the lines next to times are no names: names come again and again. */
function findPlace(lines: readonly string[]): Place | undefined {
  const stamps = lines.flatMap((line, at) => (toStamp(line) === undefined ? [] : [at]));
  return (['above', 'below'] as const).find((place) => {
    const step = place === 'above' ? -1 : 1;
    const names = stamps.map((at) => lines[at + step]?.trim() ?? '');
    const isApart = stamps.every((at) => isBlank(lines[place === 'above' ? at - 2 : at - 1]));
    const distinct = new Set(names).size;
    const comeAgain = 2 * distinct <= names.length || (isApart && distinct < names.length);
    return names.length >= 3 && comeAgain && names.every(isNameLine);
  });
}

/** Reads turns whose name and time stand in lines of their own; what follows them are words. */
function createStacked(out: Out, place: Place, year: string | undefined): Sink {
  let open: { turn: Omit<FoundTurn, 'text'>; lines: string[]; at: string } | undefined;
  let above = '';
  let stamp: ReturnType<typeof toStamp>;
  const close = () => {
    if (open === undefined) return;
    putWords(toChineseWords(open.lines.join('\n').trim()), open.turn, open.at, out);
    open = undefined;
  };
  const begin = (name: string, time: { readonly wall?: string }, number: number) => {
    close();
    const speaker = name.trim();
    open = {
      turn: { speaker, role: speaker === '我' ? 'user' : 'participant', ...time },
      lines: [],
      at: `line ${number}`,
    };
  };
  return createLineSink((line, number) => {
    const time = toStamp(line, year);
    if (place === 'below' && stamp !== undefined) {
      begin(line, stamp, number);
      stamp = undefined;
    } else if (place === 'below' && time !== undefined) stamp = time;
    else if (time !== undefined && isNameLine(above)) {
      // The name was taken for a line of the message above it.
      open?.lines.pop();
      begin(above, time, number);
    } else if (open !== undefined) open.lines.push(line);
    // The last of these lines may be the first name.
    else if (above.trim() !== '') out.leftOut('line above the first turn', `line ${number - 1}`, above);
    above = line;
  }, close);
}

const NO_YEAR = 'its days have no year, so its turns are undated: give --date';

/** Chats in which a name and a time stand in lines of their own, as copies from WeChat and Teams have them. */
export const stacked: Reader = {
  name: 'stacked',
  title: 'chat with names and times in lines of their own',
  detect: ({ lines }) => findPlace(lines) !== undefined,
  read: (out, { sample, date }) => {
    const year = date?.slice(0, 4);
    const isYearless = sample.lines.some((line) => line.length <= MAX_STAMP && YEARLESS.test(line.trim()));
    if (year === undefined && isYearless) out.note(NO_YEAR);
    return createStacked(out, findPlace(sample.lines) ?? 'above', year);
  },
};
