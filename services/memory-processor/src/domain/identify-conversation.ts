import { isGrownFrom } from './episodes.ts';
import type { Reading } from './extract-window.ts';
import { toEpisodeId, toHead, toTranscriptId } from './memory-id.ts';
import type { MemoryStore, RecordedMemory } from './memory-store.ts';
import type { Conversation } from './transcript.ts';

/** A conversation by its name, and what is recorded under that. */
export interface Identified {
  readonly transcript: string;
  readonly recorded: ReadonlyMap<string, RecordedMemory>;
  /** The hash to find it again by; absent when its caller or its source names it. */
  readonly head?: string;
}

/** A conversation without a name of its own, and whose it is. */
export interface Unnamed {
  readonly userId: string;
  readonly conversation: Conversation;
  readonly readings: readonly Reading[];
}

/** Whether what is recorded is an earlier state of a conversation, or a later one: no window says anything else. */
function isSame({ userId, readings }: Unnamed, { transcript, recorded }: Identified): boolean {
  const windows = new Map(readings.map(({ window }) => [toEpisodeId(userId, transcript, window), window.content]));
  const episodes = [...recorded].filter(([, { episode }]) => episode === undefined);
  const shared = episodes.filter(([id]) => windows.has(id));
  const agrees = shared.every(([id, { content }]) => {
    const own = windows.get(id) ?? '';
    return isGrownFrom(own, content) || isGrownFrom(content, own);
  });
  return agrees && (shared.length === episodes.length || shared.length === windows.size);
}

/**
 * Finds a conversation that was recorded without a name by what it begins with, so that sent again as it grows it is known
 * again. One that only begins alike, but goes on otherwise, is another: nothing of either is lost.
 */
export async function identifyConversation(unnamed: Unnamed, memories: MemoryStore): Promise<Identified> {
  const { userId, conversation, readings } = unnamed;
  const head = toHead(conversation);
  const openings = await memories.listOpenings(userId, head);
  const opening = readings[0]?.window.content ?? '';
  for (const { transcript, content } of openings) {
    if (!isGrownFrom(opening, content) && !isGrownFrom(content, opening)) continue;
    const known = { transcript, recorded: await memories.listRecorded(userId, transcript), head };
    if (isSame(unnamed, known)) return known;
  }
  const taken = new Set(openings.map(({ transcript }) => transcript));
  let number = 1;
  while (taken.has(toTranscriptId(head, number))) number += 1;
  const transcript = toTranscriptId(head, number);
  return { transcript, recorded: await memories.listRecorded(userId, transcript), head };
}
