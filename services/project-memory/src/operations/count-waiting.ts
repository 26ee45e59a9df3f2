import { defineCountWaiting } from '@contextloom/server-kit';
import { openFor, type ProjectMemoryDeps } from './deps.ts';

/** Counts the memories that wait for their vectors; an embedder that is always there leaves none, and no database is opened to say so. */
export const countWaiting = defineCountWaiting<ProjectMemoryDeps>({
  path: '/waiting',
  count: async (context) => (context.deps.isEmbedderLocal === true ? 0 : (await openFor({}, context)).countWaiting()),
});
