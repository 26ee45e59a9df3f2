import { identifier, toInvalidError } from '@contextloom/contracts';
import { isClock, type Moment, parseClockOn, parseMoment } from '@contextloom/retrieval/time';
import { z } from 'zod';
import { unreadable } from './unreadable.ts';

/** What every format gets besides the text. */
export interface ReadOptions {
  /** When the conversation took place, for turns without a date of their own. */
  readonly date?: Moment | undefined;
  /** Where the value stands, for error messages, e.g. `line 3`; empty for the whole. */
  readonly at: string;
}

const orNull = <S extends z.ZodType>(schema: S) => z.preprocess((value) => value ?? undefined, schema.optional());

/** The name of a conversation or a session in a file; null counts as absent. */
export const nameSchema = orNull(
  z.union([identifier('A name.'), z.number()], { error: 'must be a short text or a number' }).transform(String),
);
/** A date in a file; null counts as absent. */
export const dateSchema = orNull(z.union([z.string().max(64), z.number()], { error: 'must be a date' }));

/** Narrows a value to an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The name of a field, for error messages. */
export function under(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`;
}

/** Parses a value whose shape a format expects; the error names the place and the formats. */
export function readShape<S extends z.ZodType>(schema: S, value: unknown, at: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw unreadable(toInvalidError(result.error, at === '' ? [] : [at]).message, result.error);
}

/** Reads the date of a session or a conversation. */
export function readDate(value: string | number | undefined, at: string): Moment | undefined {
  if (value === undefined || value === '') return undefined;
  const moment = parseMoment(value);
  if (moment !== undefined) return moment;
  throw unreadable(
    `${at} must be a date such as 2024-03-05 or 2024-03-05T19:20:00+08:00, not ${JSON.stringify(value)}`,
  );
}

/** Reads when a turn was said; a time of day alone is on the session's day, and says nothing when that is not known. */
export function readTime(value: string | number | undefined, at: string, day: Moment | undefined): Moment | undefined {
  if (typeof value !== 'string' || !isClock(value)) return readDate(value, at);
  return day === undefined ? undefined : parseClockOn(day, value);
}
