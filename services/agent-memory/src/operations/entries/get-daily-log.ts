import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT } from '../deps.ts';
import { exampleEntry } from '../examples.ts';

/** Reads the log of a day. */
export const getDailyLog = defineOperation({
  name: 'get_daily_log',
  title: 'Get the log of a day',
  description: 'Returns the entries and the summary of a day; an empty log for a day without one.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_daily_log,
  example: {
    input: { date: exampleEntry.date },
    output: {
      date: exampleEntry.date,
      file_path: exampleEntry.source_file,
      entries: [exampleEntry.id],
      items: [exampleEntry],
      summary: null,
      created_at: '2026-02-14T00:00:00.000Z',
    },
  },
  route: {
    method: 'get',
    path: `${ROOT}/daily/:date`,
    summary: 'Answers the log of a day; an empty one for a day without.',
  },
  run: ({ date }, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).daily(date),
});
