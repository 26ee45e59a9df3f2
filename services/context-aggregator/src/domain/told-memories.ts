import { EPISODE_TAG } from '@contextloom/contracts';
import type { FoundMemory } from './memories.ts';
import { toTime } from './order.ts';

/** A memory that a prompt tells, and the text that tells it: a fact begins with its day, as an episode does by itself. */
export interface ToldMemory {
  readonly memory: FoundMemory;
  readonly text: string;
}

/** The day that an ISO 8601 time begins with. */
const DAY = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/u;

/** Whether a memory is a piece of a conversation, word for word. */
export function isEpisode({ metadata, tags }: FoundMemory): boolean {
  return metadata['memory_type'] === 'episode' || tags.includes(EPISODE_TAG);
}

/** How a prompt tells a memory: a fact begins with the day it happened, `[YYYY-MM-DD]`, as an episode does by itself. */
export function toToldText(memory: FoundMemory): string {
  const { content, metadata } = memory;
  if (isEpisode(memory) || content.trim() === '') return content;
  const day = DAY.exec(String(metadata['occurred_at'] ?? ''))?.[0];
  if (day === undefined || content.startsWith(`[${day}]`)) return content;
  return `[${day}] ${content}`;
}

/** A memory's own time, ISO 8601; when it was stored, where nothing tells when it happened. */
export function toOwnTime({ metadata }: FoundMemory): string | undefined {
  return [metadata['occurred_at'], metadata['created_at']].find(
    (time): time is string => typeof time === 'string' && toTime(time) !== undefined,
  );
}
