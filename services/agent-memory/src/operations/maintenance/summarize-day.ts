import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import type { AgentMemoryContext } from '../deps.ts';

/** Summarises a day. */
export const summarizeDay = defineOperation({
  name: 'summarize_day',
  title: 'Summarise a day',
  description:
    "Writes a summary into a day's log, by the chat model if there is one, else by rules that choose among its entries. Replaces the summary that is there.",
  effect: 'replaces',
  scope: 'none',
  ...contract.summarize_day,
  example: {
    input: { date: '2026-02-14' },
    output: {
      date: '2026-02-14',
      file_path: 'memory/2026-02-14.md',
      summary: '- Ann decided to use React for the frontend.',
      made_by: 'rules',
    },
  },
  run: ({ date }, { deps, principal, signal }: AgentMemoryContext) =>
    deps.memoryFor(principal).summarizeDay(date, signal),
});
