import type { Moment } from '@contextloom/retrieval/time';

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
/** Chats are younger than computers, and no older than the next century. */
const [MIN_YEAR, MAX_YEAR] = [1970, 2100];

/** The parts of a time as a clock on a wall shows it. */
export interface WallParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
}

/** A time on a wall, `2024-03-05T19:20:00`; undefined when there is no such day or time. */
export function toWall({ year, month, day, hour = 0, minute = 0, second = 0 }: WallParts): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= MIN_YEAR && year <= MAX_YEAR;
  if (!isDay || hour > 23 || minute > 59 || second > 59) return undefined;
  return `${year}-${pad(month)}-${pad(day)}T${pad(hour)}:${pad(minute)}:${pad(second)}`;
}

const LATE = /^(?:p|下午|傍晚|晚上|午後|오후)/iu;
const NOON = /^中午/u;
const NIGHT = /^(?:a|凌晨|午前|오전|上午|早上|清晨)/iu;

/** The hour of a day, 0 to 23, from an hour and what stands next to it: `pm`, `下午`, or nothing. */
export function toHour(hour: number, half: string | undefined): number {
  if (half === undefined || half === '') return hour;
  if (LATE.test(half)) return hour < 12 ? hour + 12 : hour;
  if (NOON.test(half)) return hour < 11 ? hour + 12 : hour;
  return NIGHT.test(half) && hour === 12 ? 0 : hour;
}

const offsets = new Map<string, Intl.DateTimeFormat>();

/** How far a time zone's clocks are ahead of UTC at an instant, in minutes. */
function offsetAt(zone: string, instant: number): number {
  let format = offsets.get(zone);
  if (format === undefined) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en-US', { ...parts, second: '2-digit', hourCycle: 'h23', timeZone: zone });
    offsets.set(zone, format);
  }
  const shown = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = shown;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  return Math.round((wall - Math.floor(instant / 1000) * 1000) / 60_000);
}

function toOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

/** A time on a wall with the offset of a time zone; UTC without one. Of an hour that comes twice, the first. */
export function toZoned(wall: string, zone: string | undefined): Moment {
  if (zone === undefined) return `${wall}Z`;
  const asUtc = Date.parse(`${wall}Z`);
  const offset = offsetAt(zone, asUtc - offsetAt(zone, asUtc) * 60_000);
  return `${wall}${toOffset(offset)}`;
}

/** An instant in milliseconds since 1970 as clocks of a time zone show it; UTC without one. */
export function fromInstant(instant: number, zone: string | undefined): Moment | undefined {
  const year = new Date(instant).getUTCFullYear();
  if (!Number.isFinite(instant) || year < MIN_YEAR || year > MAX_YEAR) return undefined;
  if (zone === undefined) return new Date(instant).toISOString();
  const offset = offsetAt(zone, instant);
  return `${new Date(instant + offset * 60_000).toISOString().slice(0, 19)}${toOffset(offset)}`;
}
