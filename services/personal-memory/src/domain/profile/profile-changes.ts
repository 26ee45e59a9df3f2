import type { MemoryEvent } from '../model.ts';

/** The key of an event's metadata that names the attribute whose change it tells. */
export const CHANGED_KEY = 'profile_key';

/** A value of 20,000 characters is in the history; the event only tells of it. */
const MAX_SHOWN = 300;

/** An attribute that got another value, or none. */
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

/** The event by which searches and lists of events see the change of an attribute. */
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
