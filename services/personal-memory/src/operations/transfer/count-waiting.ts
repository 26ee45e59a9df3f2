import { defineCountWaiting } from '@contextloom/server-kit';
import type { PersonalMemoryDeps } from '../deps.ts';

/** Counts the texts of events and of the profile that wait for their vectors. */
export const countWaitingOperation = defineCountWaiting<PersonalMemoryDeps>({
  count: ({ deps: { store } }) => store.countWaiting(),
});
