import { readRetraction } from '@contextloom/contracts';
import type { Conversation } from '@contextloom/transcripts/transcript';
import { toEpisodeId, toHead, toTranscriptId } from '../memory-id.ts';
import type { MemoryStore, RecordedMemory } from '../memory-store.ts';
import type { RecordedWindow } from '../windows/recorded-windows.ts';
import { endsBefore, goesOnFrom, isSameContent, toOrdinal } from '../windows/window-turns.ts';
import type { Reading } from './extract-window.ts';

/** A conversation by its name, what is recorded under that, and its windows. */
export interface Identified {
  readonly transcript: string;
  readonly recorded: ReadonlyMap<string, RecordedMemory>;
  readonly readings: readonly Reading[];
  /** The hash to find it again by; absent when its caller or its source names it. */
  readonly head?: string;
}

/** Cuts the conversation of a name into windows, as far as it is not recorded in windows already. */
export type ReadWindows = (transcript: string, recorded: readonly RecordedWindow[]) => Iterable<Reading>;

/** A conversation to be identified, and whose it is. */
export interface Unidentified {
  readonly userId: string;
  readonly conversation: Conversation;
  /** The name that its caller or its source gives it. */
  readonly name: string | undefined;
  readonly readWindows: ReadWindows;
  /** Collects the windows, which may take seconds. */
  readonly collect: (readings: Iterable<Reading>) => Promise<readonly Reading[]>;
}

/** The windows among what is recorded; episodes of before windows had a position are distinguished from them by their ids alone. */
function toWindows(recorded: ReadonlyMap<string, RecordedMemory>): readonly RecordedWindow[] {
  return [...recorded.values()].flatMap(
    ({ content, session, position, episode, calledAt, metadata }): RecordedWindow[] =>
      // What a person wrote is not what was said: those turns are found by their retraction.
      session === undefined || position === undefined || episode !== undefined || readRetraction(metadata) !== undefined
        ? []
        : [{ session, ordinal: toOrdinal(position), content, calledAt }],
  );
}

/** A conversation under a name, whether anything is recorded there or not. */
async function toIdentified(
  transcript: string,
  { userId, readWindows, collect }: Unidentified,
  memories: MemoryStore,
): Promise<Identified> {
  const recorded = await memories.listRecorded(userId, transcript);
  return { transcript, recorded, readings: await collect(readWindows(transcript, toWindows(recorded))) };
}

/** Whether what is recorded is an earlier state of a conversation, or a later one: no window says anything else. */
function isSame(userId: string, { transcript, recorded, readings }: Identified): boolean {
  const windows = new Map(readings.map(({ window }) => [toEpisodeId(userId, transcript, window), window.content]));
  const isAsRead = ({ episode, metadata }: RecordedMemory): boolean =>
    episode === undefined && readRetraction(metadata) === undefined;
  const episodes = [...recorded].filter(([, one]) => isAsRead(one));
  const shared = episodes.filter(([id]) => windows.has(id));
  const agrees = shared.every(([id, { content }]) => {
    const own = windows.get(id) ?? '';
    return isSameContent(own, content) || goesOnFrom(own, content) || endsBefore(own, content);
  });
  return agrees && (shared.length === episodes.length || shared.length === windows.size);
}

/**
 * Finds what is recorded of a conversation. One without a name is found by what it begins with, so that sent again as it grows
 * it is known again. One that only begins alike, but goes on otherwise, is another: nothing of either is lost.
 */
export async function identifyConversation(one: Unidentified, memories: MemoryStore): Promise<Identified> {
  const { userId, conversation, name, readWindows } = one;
  if (name !== undefined) return toIdentified(name, one, memories);
  const head = toHead(conversation);
  const openings = await memories.listOpenings(userId, head);
  const [first] = openings.length === 0 ? [] : readWindows('', []);
  const opening = first?.window.content ?? '';
  for (const { transcript, content, isCorrected } of openings) {
    const isAlike = isSameContent(opening, content) || goesOnFrom(opening, content) || endsBefore(opening, content);
    if (!isCorrected && !isAlike) continue;
    const known = await toIdentified(transcript, one, memories);
    if (isSame(userId, known)) return { ...known, head };
  }
  const taken = new Set(openings.map(({ transcript }) => transcript));
  let number = 1;
  while (taken.has(toTranscriptId(head, number))) number += 1;
  return { ...(await toIdentified(toTranscriptId(head, number), one, memories)), head };
}
