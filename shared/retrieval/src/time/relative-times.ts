import type { DateTime, DurationLike } from 'luxon';
import { monthNames, seasons, toMonthNumber } from './calendar-times.ts';
import { chineseNumeral, englishNumeral, fromChineseNumeral, fromEnglishNumeral } from './numerals.ts';
import type { Reader } from './text-positions.ts';
import { type CalendarUnit, type TimeRange, toDayRange, toMonthRange, toUnitRange } from './time-range.ts';

/** How many of a unit `a few` may be, and how long ago `recently` may be. */
const FEW = { least: 2, most: 7 } as const;
const RECENT: DurationLike = { days: 30 };

const englishUnits = 'day|week|month|year';
const chineseUnits: Readonly<Record<string, CalendarUnit>> = {
  天: 'day',
  日: 'day',
  周: 'week',
  星期: 'week',
  礼拜: 'week',
  月: 'month',
  年: 'year',
};
const chineseUnit = Object.keys(chineseUnits).join('|');
const englishOffsets: Readonly<Record<string, number>> = {
  last: -1,
  previous: -1,
  past: -1,
  this: 0,
  current: 0,
  next: 1,
  coming: 1,
};
const chineseOffsets: Readonly<Record<string, number>> = { 上上: -2, 上: -1, 这: 0, 本: 0, 下: 1, 下下: 2 };
const chineseOffset = '上上|下下|[上这本下]';
const chineseWeek = '个?(?:周|星期|礼拜)';
const chineseWeekday = '[一二三四五六日天]';
const chineseYears: Readonly<Record<string, number>> = { 大前: -3, 前: -2, 去: -1, 今: 0, 明: 1, 后: 2 };

const toUnit = (text: string | undefined): CalendarUnit =>
  (text === undefined ? undefined : chineseUnits[text]) ?? (text?.toLowerCase() as CalendarUnit);

/** The least and the most that a count may mean; undefined for anything else. */
function toCounts(text: string | undefined): readonly [number, number] | undefined {
  if (text === undefined) return undefined;
  if (/few|several|几/iu.test(text)) return [FEW.least, FEW.most];
  if (/couple/i.test(text)) return [2, 2];
  const count = /[a-z]/i.test(text) ? fromEnglishNumeral(text) : fromChineseNumeral(text);
  return Number.isNaN(count) ? undefined : [count, count];
}

/** Builds the readers of words that tell a time by the day they are said on. */
export function createRelativeReaders(said: DateTime): readonly Reader<TimeRange>[] {
  const zone = said.zoneName ?? 'UTC';

  /** The units that many before (below 0) or after the one of the day. */
  const shifted = (unit: CalendarUnit, from: number, to = from): TimeRange =>
    toUnitRange(said.plus({ [unit]: from }), unit, said.plus({ [unit]: to }));
  /** The days up to and with the one on which it is said. */
  const trailing = (duration: DurationLike): TimeRange => toUnitRange(said.minus(duration), 'day', said);
  const weekend = (offset: number): TimeRange => {
    const saturday = said.startOf('week').plus({ weeks: offset, days: 5 });
    return toUnitRange(saturday, 'day', saturday.plus({ days: 1 }));
  };
  /** A weekday of this week, or one before or after. Weeks begin on Monday, as Chinese speakers count; chrono's on Sunday. */
  const weekday = (word = '', day = ''): DateTime => {
    const days = '一二三四五六日'.indexOf(day.replace('天', '日'));
    return said.startOf('week').plus({ weeks: chineseOffsets[word] ?? 0, days });
  };
  const counted = (count: string | undefined, unit: string | undefined, sign: -1 | 1): TimeRange | undefined => {
    const counts = toCounts(count);
    if (counts === undefined) return undefined;
    const [from, to] = [sign * counts[0], sign * counts[1]];
    return shifted(toUnit(unit), Math.min(from, to), Math.max(from, to));
  };
  const trailingCount = (count: string | undefined, unit: string | undefined): TimeRange | undefined => {
    const counts = toCounts(count);
    return counts === undefined ? undefined : trailing({ [toUnit(unit)]: counts[1] });
  };
  /** Months of the calendar: of the last time that has ended, of this year, or of the next time that has not begun. */
  const months = (list: readonly number[], offset: number): TimeRange | undefined => {
    const [first = 0] = list;
    const at = (year: number) => toMonthRange(year, first, list.length, zone);
    if (offset === 0) return at(said.year);
    const years = [-2, -1, 0, 1].map((shift) => at(said.year + shift)).filter((range) => range !== undefined);
    return offset < 0
      ? years.findLast(({ to }) => to <= said.toMillis())
      : years.find(({ from }) => from > said.toMillis());
  };
  const inYear = (year: number, month?: number, day?: number): TimeRange | undefined => {
    if (month === undefined) return toMonthRange(year, 1, 12, zone);
    return day === undefined ? toMonthRange(year, month, 1, zone) : toDayRange(year, month, day, zone);
  };
  const offsetOf = (word: string | undefined): number => englishOffsets[(word ?? '').toLowerCase()] ?? 0;

  const count = `(${englishNumeral}|(?:a )?few|several|(?:a )?couple(?: of)?)`;
  const chineseCount = `(${chineseNumeral}|几)`;
  const english: readonly Reader<TimeRange>[] = [
    [
      new RegExp(`\\b(?:last|past|previous) ${count} (${englishUnits})s?\\b`, 'giu'),
      ([many, unit]) => trailingCount(many, unit),
    ],
    [new RegExp(`\\b${count} (${englishUnits})s? (?:ago|back)\\b`, 'giu'), ([many, unit]) => counted(many, unit, -1)],
    [new RegExp(`\\bin ${count} (${englishUnits})s?\\b`, 'giu'), ([many, unit]) => counted(many, unit, 1)],
    [new RegExp(`\\b${count} (${englishUnits})s? from now\\b`, 'giu'), ([many, unit]) => counted(many, unit, 1)],
    [new RegExp(`\\bthe past (${englishUnits})\\b`, 'giu'), ([unit]) => trailing({ [toUnit(unit)]: 1 })],
    [/\b(last|previous|past|this|next|coming) weekend\b/giu, ([word]) => weekend(offsetOf(word))],
    [
      /\b(last|previous|past|this|current|next|coming) (week|month|quarter|year)\b/giu,
      ([word, unit]) => shifted(toUnit(unit), offsetOf(word)),
    ],
    [
      new RegExp(`\\b(last|previous|past|this|next|coming) (${monthNames.join('|')})\\b(?! \\d)`, 'giu'),
      ([word, name]) => months([toMonthNumber(name ?? '')], offsetOf(word)),
    ],
    [
      /\b(last|previous|past|this|next|coming) (spring|summer|autumn|fall|winter)\b/giu,
      ([word, name]) => months(seasons[(name ?? '').toLowerCase()] ?? [], offsetOf(word)),
    ],
    [/\b(?:recently|lately)\b/giu, () => trailing(RECENT)],
  ];
  const chinese: readonly Reader<TimeRange>[] = [
    [
      new RegExp(
        `(大前|前|去|今|明|后)年(?:的)?(?:(${chineseNumeral})月(?:份|(${chineseNumeral})[号日])?|([春夏秋冬])[天季])?`,
        'gu',
      ),
      ([word, month, day, season]) => {
        const year = said.year + (chineseYears[word ?? ''] ?? 0);
        const [first] = (season === undefined ? undefined : seasons[season]) ?? [];
        if (first !== undefined) return toMonthRange(year, first, 3, zone);
        return inYear(
          year,
          month === undefined ? undefined : fromChineseNumeral(month),
          day === undefined ? undefined : fromChineseNumeral(day),
        );
      },
    ],
    [
      new RegExp(`(?:最近|过去|近)的?${chineseCount}个?(${chineseUnit})`, 'gu'),
      ([many, unit]) => trailingCount(many, unit),
    ],
    [new RegExp(`${chineseCount}个?(${chineseUnit})(?:以|之)?前`, 'gu'), ([many, unit]) => counted(many, unit, -1)],
    [new RegExp(`${chineseCount}个?(${chineseUnit})(?:以|之)?后`, 'gu'), ([many, unit]) => counted(many, unit, 1)],
    [/半年(?:以|之)?前/gu, () => shifted('month', -6)],
    [new RegExp(`前几个?(${chineseUnit})`, 'gu'), ([unit]) => trailingCount('几', unit)],
    [
      new RegExp(
        `(${chineseOffset})${chineseWeek}(${chineseWeekday})(?:[到至](${chineseOffset})?${chineseWeek}(${chineseWeekday}))?`,
        'gu',
      ),
      ([word, day, lastWord = word, lastDay = day]) => {
        const [first, last] = [weekday(word, day), weekday(lastWord, lastDay)];
        return toUnitRange(first, 'day', last < first ? first : last);
      },
    ],
    [new RegExp(`(${chineseOffset})${chineseWeek}末`, 'gu'), ([word]) => weekend(chineseOffsets[word ?? ''] ?? 0)],
    [
      new RegExp(`(${chineseOffset})个?(周|星期|礼拜|月)(?!${chineseWeekday})`, 'gu'),
      ([word, unit]) => shifted(toUnit(unit), chineseOffsets[word ?? ''] ?? 0),
    ],
    [/最近|近来|近期/gu, () => trailing(RECENT)],
  ];
  return [...english, ...chinese];
}
