import { toMonthNumber } from './calendar-times.ts';

/**
 * A point in time as a conversation tells it: a day (`2024-03-05`) or a time with its offset
 * (`2024-03-05T19:20:00+08:00`). The day written is the speaker's own; times without an offset are taken as UTC.
 */
export type Moment = string;

const CLOCK = String.raw`(?<early>凌晨|早上|早晨|上午|中午|下午|傍晚|晚上)?\s*(?<hour>\d{1,2})\s*(?:[:：](?=\d{2})|点|时)\s*(?<minute>\d{1,2})?分?(?:[:：](?<second>\d{1,2})(?:\.\d+)?)?\s*(?<half>[ap])?\.?(?:m\b\.?)?`;
const ZONE = String.raw`\s*(?<zone>Z|[+-]\d{2}:?\d{2})?`;
const DAY_WORDS =
  /[(（]?\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b[)）]?,?|[(（]?(?:星期|周|礼拜)[一二三四五六日天][)）]?/giu;

const FORMS: readonly RegExp[] = [
  new RegExp(String.raw`^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?:[T,\s]\s*${CLOCK}${ZONE})?$`, 'iu'),
  new RegExp(
    String.raw`^(?<year>\d{4})\s*年\s*(?<month>\d{1,2})\s*月\s*(?<day>\d{1,2})\s*[日号]?(?:[,，\s]*${CLOCK})?$`,
    'iu',
  ),
  new RegExp(
    String.raw`^(?:${CLOCK}\s+on\s+)?(?<day>\d{1,2})(?:st|nd|rd|th)?\s+(?<name>[a-z]{3,9})\.?,?\s+(?<year>\d{4})$`,
    'iu',
  ),
  new RegExp(
    String.raw`^(?:${CLOCK}\s+on\s+)?(?<name>[a-z]{3,9})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})$`,
    'iu',
  ),
  new RegExp(
    String.raw`^(?<day>\d{1,2})(?:st|nd|rd|th)?\s+(?<name>[a-z]{3,9})\.?,?\s+(?<year>\d{4}),?\s+(?:at\s+)?${CLOCK}$`,
    'iu',
  ),
  new RegExp(
    String.raw`^(?<name>[a-z]{3,9})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4}),?\s+(?:at\s+)?${CLOCK}$`,
    'iu',
  ),
];
const CLOCK_ONLY = new RegExp(`^${CLOCK}$`, 'iu');

type Groups = Readonly<Record<string, string | undefined>>;

const pad = (value: number): string => String(value).padStart(2, '0');

/** Hours of a 12-hour clock and of Chinese day parts, 0 to 23. */
function toHour(groups: Groups): number {
  const hour = Number(groups['hour']);
  const half = groups['half']?.toLowerCase();
  if (half === 'p') return hour === 12 ? 12 : hour + 12;
  if (half === 'a') return hour === 12 ? 0 : hour;
  const isLate = /下午|傍晚|晚上/u.test(groups['early'] ?? '') || (groups['early'] === '中午' && hour < 11);
  return isLate && hour < 12 ? hour + 12 : hour;
}

function toClock(groups: Groups): string | undefined {
  if (groups['hour'] === undefined) return undefined;
  const [hour, minute, second] = [toHour(groups), Number(groups['minute'] ?? 0), Number(groups['second'] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return `${pad(hour)}:${pad(minute)}:${pad(second)}`;
}

function toDay(groups: Groups): string | undefined {
  const name = groups['name'];
  const month = name === undefined ? Number(groups['month']) : toMonthNumber(name);
  const [year, day] = [Number(groups['year']), Number(groups['day'])];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1000;
  return isReal ? `${year}-${pad(month)}-${pad(day)}` : undefined;
}

/** Seconds, milliseconds or microseconds since 1970, distinguished by their size (1 January 2000 to 2100). */
function fromEpoch(value: number): Moment | undefined {
  const seconds = [value, value / 1_000, value / 1_000_000].find((n) => n >= 946_684_800 && n < 4_102_444_800);
  return seconds === undefined ? undefined : new Date(seconds * 1_000).toISOString();
}

/**
 * Reads a date or time as people and programs write it: ISO 8601, `2024/03/05 19:20`, `2024年3月5日 晚上7点`, `1:56 pm on 8 May,
 * 2023`, `May 8, 2023`, seconds or milliseconds since 1970.
 * @returns undefined for any other text and for a date that does not exist
 */
export function parseMoment(value: string | number): Moment | undefined {
  if (typeof value === 'number') return fromEpoch(value);
  const text = value.replace(DAY_WORDS, ' ').replace(/\s+/gu, ' ').trim();
  if (/^\d{10,16}(?:\.\d+)?$/u.test(text)) return fromEpoch(Number(text));
  for (const form of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined) continue;
    const day = toDay(groups);
    if (day === undefined || groups['hour'] === undefined) return day;
    const clock = toClock(groups);
    if (clock === undefined) return undefined;
    const zone = (groups['zone'] ?? 'Z').replace(/^([+-]\d{2})(\d{2})$/u, '$1:$2').toUpperCase();
    const moment = `${day}T${clock}${zone}`;
    return Number.isNaN(Date.parse(moment)) ? undefined : moment;
  }
  return undefined;
}

/** Reads a time of day (`19:20`, `7:20 pm`, `下午3:05`) on a known day. */
export function parseClockOn(day: Moment, text: string): Moment | undefined {
  const groups = CLOCK_ONLY.exec(text.trim())?.groups;
  const clock = groups === undefined ? undefined : toClock(groups);
  return clock === undefined ? undefined : `${toWallDate(day)}T${clock}${day.slice(19) || 'Z'}`;
}

/** Whether a text is a time of day. */
export function isClock(text: string): boolean {
  const groups = CLOCK_ONLY.exec(text.trim())?.groups;
  return groups !== undefined && toClock(groups) !== undefined;
}

/** The calendar day of a moment where it was said, `YYYY-MM-DD`. */
export function toWallDate(moment: Moment): string {
  return moment.slice(0, 10);
}

/** A moment as ISO 8601 UTC; a day without a time is its midnight. */
export function toInstant(moment: Moment): string {
  return new Date(moment).toISOString();
}
