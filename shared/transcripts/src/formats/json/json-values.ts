import type { Moment } from '@contextloom/retrieval/time';
import { z } from 'zod';
import { fromInstant } from '../text/wall-time.ts';

/** A text, or undefined. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Seconds since 1970, as a number or in digits, as an instant. */
export function fromSeconds(value: unknown): Moment | undefined {
  const seconds = typeof value === 'string' && /^\d{1,12}(?:\.\d+)?$/u.test(value) ? Number(value) : value;
  return typeof seconds === 'number' ? fromInstant(seconds * 1000, undefined) : undefined;
}

const ZONED = /(?:Z|[+-]\d{2}:?\d{2})$/u;

/** An ISO 8601 time as it stands: with an offset as `at`, without one as `wall`. */
export function fromIso(value: unknown): { at?: Moment; wall?: string } {
  if (typeof value !== 'string' || value.length > 40) return {};
  const time = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/u.exec(value);
  const [, day, clock, zone] = time ?? [];
  if (day === undefined || clock === undefined) return {};
  const instant = Date.parse(ZONED.test(value) ? `${day}T${clock}${zone}` : `${day}T${clock}Z`);
  if (fromInstant(instant, undefined) === undefined) return {};
  if (zone === undefined) return { wall: `${day}T${clock}` };
  if (zone === 'Z' || /^[+-]00:?00$/u.test(zone)) return { at: new Date(instant).toISOString() };
  return { at: `${day}T${clock}${zone.replace(/^(.\d{2})(\d{2})$/u, '$1:$2')}` };
}

/** A time as programs store it: ISO 8601, or seconds, milliseconds or microseconds since 1970. */
export function fromInstantText(value: unknown): { at?: Moment; wall?: string } {
  if (typeof value !== 'number' && !(typeof value === 'string' && /^\d{10,16}(?:\.\d+)?$/u.test(value)))
    return fromIso(value);
  const number = Number(value);
  const at = fromSeconds(number > 1e14 ? number / 1e6 : number > 1e11 ? number / 1000 : number);
  return at === undefined ? {} : { at };
}

/** The clock of whoever exported, with the offset that it has from the instant; without one when the two do not go together. */
export function toOffsetTime(wall: string, instant: Moment | undefined): { at?: Moment; wall?: string } {
  if (instant === undefined) return { wall };
  const minutes = Math.round((Date.parse(`${wall}Z`) - Date.parse(instant)) / 60_000);
  if (Math.abs(minutes) > 14 * 60 || minutes % 15 !== 0) return { wall };
  if (minutes === 0) return { at: instant };
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return { at: `${wall}${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}` };
}

const partSchema = z.looseObject({ type: z.string().optional(), text: z.string().optional() });

/** The words of a message whose content is a text or a list of parts: parts of text, one under the other. */
export function toPartsText(content: unknown, types: ReadonlySet<string> = TEXT_PARTS): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.flatMap((part: unknown) => {
    if (typeof part === 'string') return [part];
    const read = partSchema.safeParse(part);
    return read.success && types.has(read.data.type ?? 'text') && read.data.text !== undefined ? [read.data.text] : [];
  });
  return texts.join('\n');
}

const TEXT_PARTS: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text', 'summary_text', 'refusal']);
