import type { Extracted, Reading } from '../ingest/extract-window.ts';
import type { RecordRequest } from '../ingest/recording.ts';
import { createToSpeaker } from '../memory-documents.ts';
import { toEpisodeId } from '../memory-id.ts';
import { gatherPeople } from './gather-people.ts';
import type { PeopleStore } from './people-store.ts';

/** A conversation of which windows were saved. */
export interface SavedConversation extends Pick<RecordRequest, 'userId' | 'userName' | 'importId'> {
  readonly transcript: string;
  /** All its windows, and those of them that were still to be read. */
  readonly readings: readonly Pick<Reading, 'window'>[];
  readonly pending: readonly Pick<Reading, 'window'>[];
  /** Nobody is looked for without it. */
  readonly store: PeopleStore | undefined;
}

/** Keeps who is named in the windows that were saved; whether anybody was. Never rejects. */
export async function keepPeople(
  done: readonly Pick<Extracted, 'episodeId'>[],
  { transcript, readings, pending, userId, userName, importId, store }: SavedConversation,
): Promise<boolean> {
  if (store === undefined) return false;
  const saved = new Set(done.map(({ episodeId }) => episodeId));
  const windows = pending
    .map(({ window }) => ({ episodeId: toEpisodeId(userId, transcript, window), turns: window.turns }))
    .filter(({ episodeId }) => saved.has(episodeId));
  const around = readings.map(({ window }) => window);
  const people = gatherPeople(windows, createToSpeaker({ id: userId, name: userName }), around);
  return people.entities.length > 0 && (await store.keep(userId, importId ?? transcript, people));
}
