/** Hours of the day, from the one that counts up to the one that no longer does; over midnight where the second is less. */
export interface Hours {
  readonly from: number;
  readonly to: number;
}

/** A day, and an hour of it, where somebody is. */
export interface LocalHour {
  /** Such as `2026-03-02`. */
  readonly day: string;
  readonly hour: number;
}

/** Reads `22-6`; undefined for what is not that. */
export function parseHours(text: string): Hours | undefined {
  const [, from = '', to = ''] = /^(\d{1,2})-(\d{1,2})$/u.exec(text.trim()) ?? [];
  if (from === '') return undefined;
  const hours = { from: Number(from), to: Number(to) };
  return hours.from <= 23 && hours.to <= 24 && hours.from !== hours.to % 24 ? hours : undefined;
}

/** Whether an hour is one of these; each is, where none are named. */
export function isWithin(hour: number, hours: Hours | undefined): boolean {
  if (hours === undefined) return true;
  const { from, to } = hours;
  return from < to ? hour >= from && hour < to : hour >= from || hour < to;
}

/** The day and the hour of a time in a zone. */
export function toLocalHour(time: Date, zone: string): LocalHour {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(time);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return { day: `${of('year')}-${of('month')}-${of('day')}`, hour: Number(of('hour')) };
}

const QUARTER_MS = 900_000;
/** Two days and the hours that a change of the clock takes. */
const QUARTERS = 200;

/** The first quarter of an hour after a time that will do: zones and changes of the clock keep to quarters. */
export function toFirstTime(after: Date, zone: string, isMeant: (time: LocalHour) => boolean): Date {
  const first = Math.floor(after.getTime() / QUARTER_MS) + 1;
  for (let quarter = first; quarter < first + QUARTERS; quarter += 1) {
    const time = new Date(quarter * QUARTER_MS);
    if (isMeant(toLocalHour(time, zone))) return time;
  }
  return new Date((first + QUARTERS) * QUARTER_MS);
}
