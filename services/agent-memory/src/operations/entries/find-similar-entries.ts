import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT } from '../deps.ts';
import { exampleEntry, exampleHit } from '../examples.ts';

const other = { ...exampleEntry, id: '0b9be0a4-1c3f-4d7e-9a55-6d2f0f3c9e11', content: 'Ann likes TypeScript.' };

/** Searches for entries like another one. */
export const findSimilarEntries = defineOperation({
  name: 'find_similar_entries',
  title: 'Find similar memories',
  description: 'Finds entries that are like another, best first.',
  effect: 'reads',
  scope: 'none',
  ...contract.find_similar_entries,
  example: {
    input: { id: exampleEntry.id, limit: 10 },
    output: { items: [{ ...exampleHit, entry: other }], query: exampleEntry.content, total: 1 },
  },
  route: {
    method: 'get',
    path: `${ROOT}/search/similar/:id`,
    summary: 'Finds entries that are like another.',
    errors: ['not_found'],
  },
  run: ({ id, limit, session }, { deps, principal }: AgentMemoryContext) =>
    deps.memoryFor(principal).similar(id, limit, session),
});
