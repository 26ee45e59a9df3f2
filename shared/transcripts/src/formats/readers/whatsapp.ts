import type { DayOrder, Reader, ReaderOptions, Survey } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { findWhatsappGroupNotice } from '../templates/whatsapp.ts';
import { MARKS, readStamp, toStampTime } from './whatsapp-stamp.ts';
import { toWhatsappWords } from './whatsapp-words.ts';

const MAX_SEEN = 100;

/** Whether numbers of two digits before the others are years: over 12, fewer than the days, and days can be one digit. */
function areYears(firsts: ReadonlySet<string>, lasts: ReadonlySet<string>): boolean {
  if ([...firsts].some((first) => first.length !== 2 || Number(first) <= 12)) return false;
  return [...lasts].some((last) => last.length === 1) || (firsts.size < lasts.size && firsts.size <= 3);
}

/** What tells the order of day and month: a number over 12, else which order has time go forward. */
export function createDayOrderSurvey(): Survey {
  const seen = { dayFirst: 0, monthFirst: 0, yearFirst: 0, half: 0, slash: 0 };
  const last = { 'day-first': '', 'month-first': '' };
  const back = { 'day-first': 0, 'month-first': 0 };
  const [firsts, lasts] = [new Set<string>(), new Set<string>()];
  const look = (line: string): void => {
    const found = readStamp(line);
    if (found === undefined) return;
    const groups = found.stamp;
    if (firsts.size < MAX_SEEN) firsts.add(groups['a'] ?? '');
    if (lasts.size < MAX_SEEN) lasts.add(groups['c'] ?? '');
    if ((groups['a'] ?? '').length > 2) seen.yearFirst += 1;
    else if (Number(groups['a']) > 12) seen.dayFirst += 1;
    else if (Number(groups['b']) > 12) seen.monthFirst += 1;
    if (found.isAmerican) seen.half += 1;
    if (groups['mark'] === '/') seen.slash += 1;
    for (const order of ['day-first', 'month-first'] as const) {
      const wall = toStampTime(groups, order);
      if (wall === undefined) continue;
      if (wall < last[order]) back[order] += 1;
      last[order] = wall;
    }
  };
  const lines = createLineSink(look);
  return { ...lines, result: () => ({ dayOrder: areYears(firsts, lasts) ? 'year-first' : decide(seen, back) }) };
}

function decide(
  seen: Readonly<Record<'dayFirst' | 'monthFirst' | 'yearFirst' | 'half' | 'slash', number>>,
  back: Readonly<Record<'day-first' | 'month-first', number>>,
): DayOrder {
  if (seen.yearFirst > seen.dayFirst + seen.monthFirst) return 'year-first';
  if (seen.dayFirst !== seen.monthFirst) return seen.dayFirst > seen.monthFirst ? 'day-first' : 'month-first';
  if (back['day-first'] !== back['month-first'])
    return back['day-first'] < back['month-first'] ? 'day-first' : 'month-first';
  // Only English of the United States writes slashes, AM or PM in capitals, and the month first.
  return seen.half > 0 && seen.slash > 0 ? 'month-first' : 'day-first';
}

const ORDER_NOTES = {
  'day-first': 'dates are read with the day first (3/4 is 3 April)',
  'month-first': 'dates are read with the month first (3/4 is 4 March)',
  'year-first': 'dates are read with the year first',
} as const;

/** What programs of the same form call who exported; WhatsApp itself shows a name. */
const EXPORTER = /^(?:me|我)$/iu;
/** A name and what it says. */
const NAMED = /^([^:]{1,100}): ?(.*)$/su;

function readLine(line: string, order: DayOrder): HeadedLine | undefined {
  const found = readStamp(line);
  if (found === undefined) return undefined;
  const { stamp, rest } = found;
  const [, name, text] = NAMED.exec(rest) ?? [];
  // A line of nobody has no name; one that quotes what somebody called the group may seem to have one.
  if (name === undefined || text === undefined || findWhatsappGroupNotice(rest.replace(MARKS, '')) !== undefined)
    return { kind: 'left out', what: 'system message' };
  const wall = toStampTime(stamp, order);
  if (wall === undefined) return { kind: 'fault', reason: 'there is no such date or time' };
  const speaker = name.replace(MARKS, '').replace(/^~\s*/u, '');
  return { kind: 'head', turn: { speaker, role: EXPORTER.test(speaker) ? 'user' : 'participant', wall }, text };
}

/** The text that WhatsApp exports on Android and iOS. */
export const whatsapp: Reader = {
  name: 'whatsapp',
  title: 'WhatsApp chat',
  detect: ({ lines }) => {
    const filled = lines.filter((line) => line.trim() !== '');
    const found = filled.flatMap((line) => readStamp(line)?.rest ?? []);
    const heads = found.length;
    // WhatsApp writes a colon of English in every language.
    if (2 * found.filter((rest) => /^[^:：]{1,60}：/u.test(rest)).length > heads) return false;
    // Heads with a name alone, and the words below, are of another program.
    if (!found.some((rest) => NAMED.test(rest))) return false;
    // An export begins with a head; elsewhere it may be quoted.
    return heads > 0 && (readStamp(filled[0] ?? '') !== undefined || 2 * heads > filled.length);
  },
  survey: createDayOrderSurvey,
  read: (out, { dayOrder = 'day-first', file }: ReaderOptions) => {
    out.note(ORDER_NOTES[dayOrder]);
    const title = /WhatsApp (?:Chat|聊天)[^\w]*(?:with|mit|con|avec|-)?\s*(?<name>[^/]+?)(?:\.txt|\/|$)/iu.exec(file);
    out.conversation({ title: title?.groups?.['name'] });
    return createHeadedLineSink({ readLine: (line) => readLine(line, dayOrder), toWords: toWhatsappWords }, out);
  },
};
