import { defineCountWaiting } from '@contextloom/server-kit';
import type { AgentMemoryDeps } from '../deps.ts';

/** Counts the entries that wait for their vectors. */
export const countWaiting = defineCountWaiting<AgentMemoryDeps>({
  count: ({ deps: { memoryFor }, principal }) => memoryFor(principal).countWaiting(),
});
