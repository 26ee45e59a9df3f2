import { toRowWall } from '../chat-row.ts';
import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { isSender } from '../text/unknown-chat.ts';
import { toChineseWords } from './chinese-words.ts';

/** Whether a name stands in the line above the one with the time, or in the line below. */
type Place = 'above' | 'below';

const MAX_STAMP = 32;
const MAX_NAME = 30;

/** The time that a line consists of: a day and a clock. */
function toStamp(line: string): string | undefined {
  return line.length > MAX_STAMP || !line.includes(':') ? undefined : toRowWall(line.trim());
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
function createStacked(out: Out, place: Place): Sink {
  let open: { turn: Omit<FoundTurn, 'text'>; lines: string[] } | undefined;
  let above = '';
  let stamp: string | undefined;
  const close = () => {
    if (open === undefined) return;
    const words = toChineseWords(open.lines.join('\n').trim());
    if ('leftOut' in words) out.leftOut(words.leftOut);
    else out.turn({ ...open.turn, text: words.text });
    open = undefined;
  };
  const begin = (name: string, wall: string) => {
    close();
    const speaker = name.trim();
    open = { turn: { speaker, role: speaker === '我' ? 'user' : 'participant', wall }, lines: [] };
  };
  return createLineSink((line) => {
    const wall = toStamp(line);
    if (place === 'below' && stamp !== undefined) {
      begin(line, stamp);
      stamp = undefined;
    } else if (place === 'below' && wall !== undefined) stamp = wall;
    else if (wall !== undefined && isNameLine(above)) {
      // The name was taken for a line of the message above it.
      open?.lines.pop();
      begin(above, wall);
    } else open?.lines.push(line);
    above = line;
  }, close);
}

/** Chats in which a name and a time stand in lines of their own, as copies from WeChat and Teams have them. */
export const stacked: Reader = {
  name: 'stacked',
  title: 'chat with names and times in lines of their own',
  detect: ({ lines }) => findPlace(lines) !== undefined,
  read: (out, { sample }) => createStacked(out, findPlace(sample.lines) ?? 'above'),
};
