import { EPISODE_TAG } from '@contextloom/contracts';
import type { FoundMemory } from './memories.ts';
import { toTime } from './order.ts';

/** That what a turn says is so no more. */
export interface Mark {
  /** The month, `YYYY-MM`, in which that was said. */
  readonly until: string;
  /** What is so now. */
  readonly now?: string | undefined;
  /** Whether it was never so. */
  readonly isCorrection?: boolean | undefined;
  /** The memory that tells it, and its turn where that is known. */
  readonly by: { readonly memory: string; readonly turn?: number | undefined };
  /** The sentence that is over; absent where only the turn is known. */
  readonly sentence?: string | undefined;
}

/** A memory that a prompt tells, and the text that tells it, which begins with its day. */
export interface PromptMemory {
  readonly memory: FoundMemory;
  readonly text: string;
  /** What in it is so no more, by the places of its turns; their text stands in `text`. */
  readonly marks?: ReadonlyMap<number, Mark> | undefined;
}

/** The day that an ISO 8601 time begins with. */
const DAY = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/u;

/** A month or a year, where no day was said. */
const MONTH_OR_YEAR = /^\d{4}(?:-\d{2})?$/u;

/** Whether a memory is a piece of a conversation, word for word. */
export function isEpisode({ metadata, tags }: Pick<FoundMemory, 'metadata' | 'tags'>): boolean {
  return metadata['memory_type'] === 'episode' || tags.includes(EPISODE_TAG);
}

/** Whether nothing but the call that brought a memory tells its date: then it does not stand in its words. */
const isDatedByCall = ({ metadata }: FoundMemory): boolean => metadata['occurred_at_source'] === 'call';

/** Whether somebody asked to remember it: then it was said when it was stored. */
const isNote = ({ metadata, tags }: FoundMemory): boolean =>
  tags.includes('note') && metadata['transcript'] === undefined;

/** The day of a moment in a time zone, `YYYY-MM-DD`. */
export function toZonedDay(time: number | Date, zone = 'UTC'): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(time);
}

/** The day of an instant where the user is. */
function toDayIn(zone: string, instant: string): string | undefined {
  const time = toTime(instant);
  return time === undefined ? undefined : toZonedDay(time, zone);
}

/** The day on which a memory happened. The time of a call is an instant; all others are the clock and the day of those who spoke. */
function toDay(memory: FoundMemory, zone: string): string | undefined {
  const { occurred_at: occurred, created_at: created } = memory.metadata;
  if (typeof occurred === 'string') {
    return isDatedByCall(memory) ? toDayIn(zone, occurred) : DAY.exec(occurred)?.[0];
  }
  return isNote(memory) && typeof created === 'string' ? toDayIn(zone, created) : undefined;
}

/** When a memory happened, as a prompt tells it: its day where the user is, `YYYY-MM-DD`, or the month or year where no day was said. */
export function toStatedDay(memory: FoundMemory, zone = 'UTC'): string | undefined {
  return MONTH_OR_YEAR.exec(String(memory.metadata['occurred_on'] ?? ''))?.[0] ?? toDay(memory, zone);
}

/**
 * How a prompt tells a memory: a fact or a note begins with its day, `[YYYY-MM-DD]`, or the month or year where no day was
 * said; an episode does by itself, and one that is dated by a call gets the line that others begin with.
 */
export function toPromptText(memory: FoundMemory, zone = 'UTC'): string {
  const { content } = memory;
  const day = toStatedDay(memory, zone);
  if (day === undefined || content.trim() === '') return content;
  if (isEpisode(memory)) return isDatedByCall(memory) ? `[${day}]\n${content}` : content;
  return content.startsWith(`[${day}]`) ? content : `[${day}] ${content}`;
}

/** A memory's own time, ISO 8601; when it was stored, where nothing tells when it happened. */
export function toOwnTime({ metadata }: FoundMemory): string | undefined {
  return [metadata['occurred_at'], metadata['created_at']].find(
    (time): time is string => typeof time === 'string' && toTime(time) !== undefined,
  );
}
