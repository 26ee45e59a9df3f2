import type { MemoryEvent } from '../model.ts';

/** The metadata key of an event that names the attribute that changed. */
export const CHANGED_KEY = 'profile_key';

/** The event shortens a long value; the history has all of it. */
const MAX_SHOWN = 300;

/** A change of an attribute; `to` is undefined for a deletion. */
export interface ProfileChange {
  readonly key: string;
  readonly from: string;
  readonly to: string | undefined;
  readonly time: number;
}

function shorten(value: string): string {
  const characters = [...value.slice(0, 2 * MAX_SHOWN)];
  return characters.length <= MAX_SHOWN && value.length <= 2 * MAX_SHOWN
    ? value
    : `${characters.slice(0, MAX_SHOWN).join('')}…`;
}

/** The event that records a change, so that searches and lists of events show it. */
export function toProfileChangeEvent({ key, from, to, time }: ProfileChange): Omit<MemoryEvent, 'id'> {
  const description = `${key}: ${shorten(from)} → ${to === undefined ? '(deleted)' : shorten(to)}`;
  return {
    type: 'other',
    description,
    entityIds: [],
    metadata: { [CHANGED_KEY]: key },
    tags: ['profile'],
    time,
    importance: 0.3,
    parentId: null,
  };
}
