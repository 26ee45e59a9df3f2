import { ContextloomError } from '@contextloom/contracts';
import type { FiledKind } from '@contextloom/contracts/aggregator';
import { findAttribute } from '@contextloom/retrieval/attributes';
import { findTimes, isRecurring } from '@contextloom/retrieval/time';

/** Where a text belongs: a value of the profile, something that happened on a day, or a note. */
export type Classification =
  | { readonly kind: 'fact'; readonly key: string; readonly value: string }
  | { readonly kind: 'event'; readonly day: string | undefined }
  | { readonly kind: 'note' };

/** A text to file, and what the caller says about it. */
export interface ClassificationRequest {
  readonly text: string;
  readonly kind?: FiledKind | undefined;
  readonly key?: string | undefined;
  readonly day?: string | undefined;
}

/** When a text is filed, and where its days begin. */
export interface ClassificationContext {
  readonly now: Date;
  /** An IANA time zone. */
  readonly zone: string;
}

/** A day of 25 hours, when the clocks go back. */
const LONGEST_DAY_MS = 25 * 3_600_000;
/** How much of a text is looked at for a day. */
const MAX_READ = 2_000;

/** The first day that a text names, as `YYYY-MM-DD` in the zone. */
export function findDay(text: string, { now, zone }: ClassificationContext): string | undefined {
  const read = text.slice(0, MAX_READ);
  // What comes again and again is an event of no day.
  if (isRecurring(read)) return undefined;
  const found = findTimes(read, { reference: now, zone });
  const day = found.find(({ from, to }) => to - from <= LONGEST_DAY_MS);
  if (day === undefined) return undefined;
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(day.from);
}

function toFact({ text, key }: ClassificationRequest): Classification {
  if (key !== undefined) return { kind: 'fact', key, value: text };
  const found = findAttribute(text);
  if (found !== undefined) return { kind: 'fact', ...found };
  const message =
    'key is required for a fact whose text does not say it: what the text is the value of, such as "city"';
  throw new ContextloomError('invalid', message, { field: 'key' });
}

/**
 * Says where a text belongs. What the caller says decides: `kind`, then `key` (a fact) and `day` (an event). Without these a
 * sentence that gives one attribute of the profile a value ("I live in Leith", 我叫知夏) is a fact, a text that names a day is an
 * event of that day, and everything else is a note.
 * @throws ContextloomError `invalid` for a fact without a key
 */
export function classifyMemory(request: ClassificationRequest, context: ClassificationContext): Classification {
  const { text, kind, key, day } = request;
  if (kind === 'fact' || (kind === undefined && key !== undefined)) return toFact(request);
  if (kind === 'note') return { kind };
  const named = day ?? findDay(text, context);
  if (kind === 'event' || day !== undefined) return { kind: 'event', day: named };
  const attribute = findAttribute(text);
  if (attribute !== undefined) return { kind: 'fact', ...attribute };
  return named === undefined ? { kind: 'note' } : { kind: 'event', day: named };
}
