/** How many years back a day is looked for. */
const YEARS = 5;

/** A day as `YYYY-MM-DD`, where the reader is. */
export const toIsoDay = (date: Date): string =>
  [String(date.getFullYear()).padStart(4, '0'), ...[date.getMonth() + 1, date.getDate()].map(toTwo)].join('-');

const toTwo = (part: number): string => String(part).padStart(2, '0');

/** A day in the years before its own, newest first; 29 February in those that have one. */
export function toOtherYears(day: string): readonly string[] {
  const years = Array.from({ length: YEARS }, (_one, at) => Number(day.slice(0, 4)) - at - 1);
  return years
    .map((year) => `${String(year).padStart(4, '0')}${day.slice(4)}`)
    .filter((one) => new Date(`${one}T12:00:00Z`).toISOString().startsWith(one));
}

/** The days of the month that a day is in, as first and last. */
export function toMonth(date: Date): { readonly from: string; readonly to: string } {
  const [year, month] = [date.getFullYear(), date.getMonth()];
  return { from: toIsoDay(new Date(year, month, 1)), to: toIsoDay(new Date(year, month + 1, 0)) };
}
