import { defineCountWaiting } from '@contextloom/mcp-kit';
import { openFor, type ProjectMemoryDeps } from './deps.ts';

/** Counts the memories that wait for their vectors. */
export const countWaiting = defineCountWaiting<ProjectMemoryDeps>({
  path: '/waiting',
  count: async (context) => (await openFor({}, context)).countWaiting(),
});
