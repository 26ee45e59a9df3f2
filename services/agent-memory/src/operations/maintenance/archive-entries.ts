import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import type { AgentMemoryContext } from '../deps.ts';
import { exampleEntry } from '../examples.ts';

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
