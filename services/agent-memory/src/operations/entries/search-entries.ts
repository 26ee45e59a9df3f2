import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT } from '../deps.ts';
import { exampleHit } from '../examples.ts';

/** Searches entries. */
export const searchEntries = defineOperation({
  name: 'search_entries',
  title: 'Search memories',
  description:
    'Finds entries of the daily logs and MEMORY.md by meaning and by word, best first. Returns items with entry, score, vector_score and text_score (all 0 to 1).',
  effect: 'reads',
  scope: 'none',
  ...contract.search_entries,
  example: {
    input: { query: 'frontend framework', limit: 10 },
    output: { items: [exampleHit], query: 'frontend framework', total: 1 },
  },
  route: { method: 'post', path: `${ROOT}/search`, summary: 'Finds entries by meaning and by word, best first.' },
  run: async (request, { deps, principal }: AgentMemoryContext) => ({
    ...(await deps.memoryFor(principal).search(request)),
    ...deps.owner,
  }),
});
