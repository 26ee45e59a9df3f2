import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT, writeErrors } from '../deps.ts';
import { exampleEntry } from '../examples.ts';

/** Writes an entry. */
export const addEntry = defineOperation({
  name: 'add_entry',
  title: 'Remember something',
  description: "Writes an entry into today's log, or into MEMORY.md with long_term. Returns the entry with its id.",
  effect: 'adds',
  scope: 'none',
  ...contract.add_entry,
  example: {
    input: { content: exampleEntry.content, content_type: 'decision', metadata: exampleEntry.metadata },
    output: exampleEntry,
  },
  route: {
    method: 'post',
    path: `${ROOT}/entries`,
    summary: "Writes an entry into today's log, or into MEMORY.md.",
    statuses: { 201: 'The entry was written.' },
    errors: writeErrors,
  },
  run: (request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).add(request),
});
