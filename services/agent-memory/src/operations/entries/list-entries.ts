import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT } from '../deps.ts';
import { exampleEntry } from '../examples.ts';

/** Lists entries page by page. */
export const listEntries = defineOperation({
  name: 'list_entries',
  title: 'List memories',
  description: 'Lists entries, newest first, by type and days. Returns items and total.',
  effect: 'reads',
  scope: 'none',
  ...contract.list_entries,
  example: {
    input: { content_type: 'decision', start_date: '2026-02-01', limit: 20 },
    output: { items: [exampleEntry], total: 1 },
  },
  route: { method: 'get', path: `${ROOT}/entries`, summary: 'Lists entries, newest first.' },
  run: async (request, { deps, principal }: AgentMemoryContext) => ({
    ...(await deps.memoryFor(principal).list(request)),
    ...deps.owner,
  }),
});
