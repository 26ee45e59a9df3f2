import { EPISODE_TAG } from '@contextloom/contracts';
import type { FoundMemory } from './memories.ts';
import { toTime } from './order.ts';

/** A memory that a prompt tells, and the text that tells it, which begins with its day. */
export interface ToldMemory {
  readonly memory: FoundMemory;
  readonly text: string;
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

/**
 * How a prompt tells a memory: a fact begins with the day it happened, `[YYYY-MM-DD]`, or the month or year where no day was
 * said; an episode does by itself, and one that is dated by a call gets the line that others begin with.
 */
export function toToldText(memory: FoundMemory): string {
  const { content, metadata } = memory;
  const monthOrYear = MONTH_OR_YEAR.exec(String(metadata['occurred_on'] ?? ''))?.[0];
  const day = monthOrYear ?? DAY.exec(String(metadata['occurred_at'] ?? ''))?.[0];
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
