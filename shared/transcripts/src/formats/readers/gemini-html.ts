import { toRowTime } from '../chat-row.ts';
import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createHtmlBlocks } from '../sinks/html-blocks.ts';
import { toHtmlText } from '../text/html-text.ts';
import { toHour, toWall } from '../text/wall-time.ts';
import { createDays, isPrompted } from './gemini-days.ts';

const CELL = 'class="outer-cell';
const BODY = 'mdl-typography--body-1">';
const NEXT = '<div class="content-cell';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** `Mar 5, 2024, 9:00:00 AM UTC` and `5 Mar 2024, 09:00:00 CET`. */
const NAMED =
  /^(?:([A-Z][a-z]{2})[a-z]* (\d{1,2})|(\d{1,2}) ([A-Z][a-z]{2})[a-z]*),? (\d{4}),? (\d{1,2}):(\d{2}):(\d{2})(?:\s([AP])M)?(?:\s(\S{1,10}))?$/u;
const NUMERIC = /^(.{8,30}?\d{1,2}:\d{2}:\d{2}(?:\s[AP]M)?)(?:\s(\S{1,10}))?$/u;
/** Offsets of zones by the names that Google shows, as far as a name has one meaning. */
const ZONES: Readonly<Record<string, string>> = {
  UTC: 'Z',
  GMT: 'Z',
  WET: 'Z',
  WEST: '+01:00',
  CET: '+01:00',
  MEZ: '+01:00',
  CEST: '+02:00',
  MESZ: '+02:00',
  EET: '+02:00',
  EEST: '+03:00',
  EST: '-05:00',
  EDT: '-04:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  JST: '+09:00',
  KST: '+09:00',
};

function toOffset(zone: string | undefined): string | undefined {
  const [, sign, hours = '', minutes = '00'] = /^(?:GMT|UTC)([+-])(\d{1,2})(?::?(\d{2}))?$/u.exec(zone ?? '') ?? [];
  return sign === undefined ? ZONES[zone ?? ''] : `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

function toZonedTime(wall: string | undefined, zone: string | undefined): Pick<FoundTurn, 'at' | 'wall'> | undefined {
  const offset = toOffset(zone);
  if (wall === undefined) return undefined;
  return offset === undefined ? { wall } : { at: `${wall}${offset}` };
}

/** The time that a line of an activity tells; undefined when it tells none. */
function readTime(line: string): Pick<FoundTurn, 'at' | 'wall'> | undefined {
  if (line.length > 60) return undefined;
  const [, first, day, otherDay, other, year, hour, minute, second, half, zone] = NAMED.exec(line) ?? [];
  if (year !== undefined) {
    const month = MONTHS.indexOf((first ?? other ?? '').toLowerCase()) + 1;
    const time = { hour: toHour(Number(hour), half), minute: Number(minute), second: Number(second) };
    return toZonedTime(toWall({ year: Number(year), month, day: Number(day ?? otherDay), ...time }), zone);
  }
  const [, numeric, numericZone] = NUMERIC.exec(line) ?? [];
  return numeric === undefined ? undefined : toZonedTime(toRowTime(numeric)?.wall, numericZone);
}

/** The lines that Google adds below a prompt. */
const ADDED = /^(?:Attached \d+ files?\.?|已附加 \d+ 个文件。?)$/u;
const ADDED_FILE = /^-\s+\S{1,120}\.\w{2,5}$/u;

function readCell(cell: string, at: string, days: ReturnType<typeof createDays>, out: Out) {
  const start = cell.indexOf(BODY);
  if (start < 0) return out.fault(at, 'it is no activity');
  const end = cell.indexOf(NEXT, start);
  const parts = cell.slice(start + BODY.length, end < 0 ? undefined : end).split(/<br\s?\/?>/iu);
  const lines = parts.map((part) => toHtmlText(part).replace(/[\u00a0\u202f]/gu, ' '));
  const when = lines.findIndex((line, index) => index > 0 && readTime(line) !== undefined);
  const answer = when < 0 ? '' : toHtmlText(parts.slice(when + 1).join('<br>'));
  if (!isPrompted(lines[0] ?? '') && answer === '')
    return out.leftOut('activity without a prompt', at, lines.join('\n'));
  const above = lines.slice(0, when < 0 ? 1 : when);
  if (when < 0 && lines.length > 1) out.leftOut('line below a prompt without a time', at, lines.slice(1).join('\n'));
  // The names of files stand below the line that counts them.
  const files = above.findIndex((line) => ADDED.test(line));
  const promptLines = above.filter(
    (line, index) => !(files >= 0 && index >= files && (ADDED.test(line) || ADDED_FILE.test(line))),
  );
  days.add({ prompt: promptLines.join('\n').trim(), answer, time: readTime(lines[when] ?? '') ?? {} });
}

function createCells(out: Out): Sink {
  const days = createDays(out);
  const onBlock = (cell: string, number: number): void => {
    if (number > 0) readCell(cell, `activity ${number}`, days, out);
  };
  return createHtmlBlocks({ mark: CELL, name: 'activity', onBlock, onEnd: days.flush });
}

/** The activities of Gemini in a Google Takeout as a page: `My Activity/Gemini Apps/MyActivity.html`. */
export const geminiHtml: Reader = {
  name: 'gemini-html',
  title: 'Gemini activity (Google Takeout, HTML)',
  detect: ({ text }) => text.includes(CELL) && text.includes(BODY) && /\b(?:Gemini|Bard)\b/u.test(text),
  read: createCells,
};
