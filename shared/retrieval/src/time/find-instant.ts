import { DateTime } from 'luxon';
import { type FindTimesOptions, type FoundTime, findTimes } from './find-times.ts';
import { chineseNumeral, fromChineseNumeral } from './numerals.ts';

/** How much of a text is read for a time of day before and after its day. */
const NEAR = 32;
/** How much longer a time of day may be than the words of its day that it begins in: chrono cuts 三点一刻 short. */
const CLOCK_LENGTH = 6;
/** A day on which the clocks change has an hour more or less. */
const LONGEST_DAY_MS = 25 * 3_600_000;

const PART = '凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|今晚|明晚';
const CLOCK = [
  `(?<part>${PART})?\\s?(?<hour>${chineseNumeral})\\s?(?:点钟?|[:：时](?=\\d\\d))\\s?(?:(?<half>半)|(?<quarters>[一三])刻|(?<minute>\\d{1,2}|[一二三四五六七八九十]{1,3})分?)?(?:\\s?(?<noon>[ap])\\.?m\\b)?`,
  '(?<hour12>\\d{1,2})\\s?(?<noon12>[ap])\\.?m\\b',
  '(?<word>\\bnoon\\b|\\bmidnight\\b|中午|正午)',
].join('|');
const INSIDE = new RegExp(CLOCK, 'iu');
const AFTER = new RegExp(`^[\\s,，的]{0,3}(?:at |@ ?)?(?:${CLOCK})`, 'iu');
const BEFORE = new RegExp(`(?:${CLOCK})[\\s,，]{0,3}(?:on )?$`, 'iu');
/** A time that tells its own zone. */
const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)/u;

interface Clock {
  readonly hour: number;
  readonly minute: number;
}

const LATE = /下午|傍晚|晚|夜里/u;

function toClock(groups: Readonly<Record<string, string | undefined>>): Clock | undefined {
  const { part = '', hour, half, quarters, minute, noon, hour12, noon12, word } = groups;
  if (word !== undefined) return { hour: /midnight/iu.test(word) ? 0 : 12, minute: 0 };
  const given = hour12 === undefined ? fromChineseNumeral(hour ?? '') : Number(hour12);
  const side = (noon ?? noon12)?.toLowerCase();
  const isLate = side === 'p' || LATE.test(part) || (part === '中午' && given < 11);
  const read = isLate && given < 12 ? given + 12 : side === 'a' && given === 12 ? 0 : given;
  const past = half !== undefined ? 30 : quarters !== undefined ? 15 * fromChineseNumeral(quarters) : minute;
  const minutes = typeof past === 'number' ? past : past === undefined ? 0 : fromChineseNumeral(past);
  return read <= 23 && minutes <= 59 ? { hour: read, minute: minutes } : undefined;
}

/** A time of day that begins in the words of the day, whose own figures are none. */
function findInside(text: string, { index, text: named }: FoundTime): Clock | undefined {
  const day = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}T?/u.exec(named)?.[0] ?? '';
  const end = index + named.length;
  const match = INSIDE.exec(text.slice(index + day.length, end + CLOCK_LENGTH));
  const isInside = match !== null && match.index < named.length - day.length;
  return isInside ? toClock(match.groups ?? {}) : undefined;
}

/**
 * The first moment that a text names, in epoch milliseconds: the time of day that stands with its day (`2026-12-01 下午3点`,
 * `next Wednesday at 3pm`), else the beginning of the day or longer range. Undefined when the text names none.
 */
export function findInstant(text: string, options: FindTimesOptions): number | undefined {
  const [time] = findTimes(text, options);
  if (time === undefined || !Number.isFinite(time.from)) return undefined;
  const end = time.index + time.text.length;
  const zoned = ZONED.exec(text.slice(time.index, end + NEAR))?.[0];
  if (zoned !== undefined && Number.isFinite(Date.parse(zoned))) return Date.parse(zoned);
  if (time.to - time.from > LONGEST_DAY_MS) return time.from;
  const after = AFTER.exec(text.slice(end, end + NEAR))?.groups;
  const before = BEFORE.exec(text.slice(Math.max(0, time.index - NEAR), time.index))?.groups;
  const near = after ?? before;
  const clock = findInside(text, time) ?? (near === undefined ? undefined : toClock(near));
  if (clock === undefined) return time.from;
  return DateTime.fromMillis(time.from, { zone: options.zone ?? 'UTC' })
    .set(clock)
    .toMillis();
}
