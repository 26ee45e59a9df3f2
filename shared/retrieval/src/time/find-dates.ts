import { toMonthNumber } from './calendar-times.ts';
import { type At, type Reader, readAll } from './text-positions.ts';
import { type TimeRange, toDayRange, toMonthRange } from './time-range.ts';

const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

interface Parts {
  readonly year?: string | undefined;
  readonly month?: number | undefined;
  readonly day?: string | undefined;
}

const named = (name = ''): number => toMonthNumber(name);

/** The first that fits tells what a place in the text is, so that the year of a whole date is no date of its own. */
const forms: readonly (readonly [pattern: RegExp, toParts: (groups: readonly (string | undefined)[]) => Parts])[] = [
  [/(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/giu, ([year, month, day]) => ({ year, month: Number(month), day })],
  [
    /(\d{4})\s*年\s*(\d{1,2})\s*月(?:\s*(\d{1,2})\s*[日号])?/giu,
    ([year, month, day]) => ({ year, month: Number(month), day }),
  ],
  [
    new RegExp(`(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH})\\b\\.?,?(?: (\\d{4}))?`, 'giu'),
    ([day, name, year]) => ({ year, month: named(name), day }),
  ],
  [
    new RegExp(`\\b(${MONTH})\\b\\.? (\\d{1,2})(?!\\d)(?:st|nd|rd|th)?(?:,? (\\d{4}))?`, 'giu'),
    ([name, day, year]) => ({ year, month: named(name), day }),
  ],
  [new RegExp(`\\b(${MONTH})\\b\\.?,?(?: of)? (\\d{4})`, 'giu'), ([name, year]) => ({ year, month: named(name) })],
  [/(\d{1,2})\s*月(?:\s*(\d{1,2})\s*[日号])?/giu, ([month, day]) => ({ month: Number(month), day })],
  [/(?<!\d)((?:19|20)\d{2})(?!\d)\s*年?/giu, ([year]) => ({ year })],
];

function toRange({ year, month, day }: Parts, ownYear: number): TimeRange | undefined {
  const inYear = year === undefined ? ownYear : Number(year);
  if (month === undefined) return toMonthRange(inYear, 1, 12, 'UTC');
  const inMonth = toMonthRange(inYear, month, 1, 'UTC');
  if (day === undefined) return inMonth;
  // The 31st of June is no day, but it does name June.
  return toDayRange(inYear, month, Number(day), 'UTC') ?? (Number(day) === 31 ? inMonth : undefined);
}

/**
 * Every date that a text may name by figures, in UTC: days, months with a day or a year, and four digits that can be a year. It
 * takes too much for a date rather than too little, as a check of what was said needs it; a search is better served by
 * `findTimes`. Dates without a year are of the one that is given.
 */
export function findDates(text: string, year: number): readonly At<TimeRange>[] {
  const readers = forms.map(
    ([pattern, toParts]): Reader<TimeRange> => [pattern, (groups) => toRange(toParts(groups), year)],
  );
  return readAll(text.normalize('NFKC'), readers).found;
}
