import { defineCountWaiting } from '@contextloom/server-kit';
import type { KnowledgeBaseDeps } from './deps.ts';

/** Counts the documents that wait for their vectors. */
export const countWaiting = defineCountWaiting<KnowledgeBaseDeps>({
  path: '/waiting',
  count: ({ deps: { knowledgeBase } }) => knowledgeBase.countWaiting(),
});
