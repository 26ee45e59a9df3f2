import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import type { AgentMemoryContext } from './deps.ts';
import { exampleEntry } from './examples.ts';

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

const { id, date, source_file } = exampleEntry;

/** Archives old entries. */
export const archiveEntries = defineOperation({
  name: 'archive_entries',
  title: 'Archive old memories',
  description:
    'Moves old entries of little importance (metadata.importance; without it decision 7, manual 6, summary 5, conversation 3) from the daily logs to memory/archive, where they are neither searched nor loaded. With dry_run, the default, it only tells which.',
  effect: 'runs',
  hints: { isDestructive: true, isIdempotent: true },
  scope: 'none',
  ...contract.archive_entries,
  example: {
    input: { older_than_days: 90 },
    output: {
      dry_run: true,
      before: '2026-03-01',
      archived: 0,
      items: [{ id, date, source_file, content_type: 'conversation', importance: 3 }],
    },
  },
  run: (request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).archive(request),
});

/** Makes the index again. */
export const rebuildIndex = defineOperation({
  name: 'rebuild_index',
  title: 'Rebuild the index',
  description:
    'Makes the whole index again from the files. Needed only when something outside of this server damaged it.',
  effect: 'runs',
  hints: { isDestructive: true, isIdempotent: true },
  scope: 'none',
  ...contract.rebuild_index,
  example: { input: {}, output: { files: 6, changed: 6, removed: 0, entries: 12 } },
  run: (_request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).rebuild(),
});
