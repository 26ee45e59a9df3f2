import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import type { FollowedImport } from '../imports/import-service.ts';
import type { MemoryProcessorContext } from './deps.ts';

function toShown({ id, sources, state, startedAt, endedAt, failures, progress, ...counts }: FollowedImport) {
  const { conversations, saved, nothing, failed, corrected, deleted } = counts;
  return {
    id,
    sources,
    state,
    started_at: startedAt,
    conversations,
    saved,
    nothing,
    failed,
    kept_as_corrected: corrected,
    deleted,
    ...(endedAt !== null && { ended_at: endedAt }),
    failures: failures.map(({ title, reason }) => ({ title, reason })),
    ...(progress !== undefined && { progress }),
  };
}

/** Lists a user's imports. */
export const listImports = defineOperation({
  name: 'list_imports',
  title: 'List imports',
  description: "Lists a user's imports, newest first: how far each is, what it saved, and what failed and why.",
  effect: 'reads',
  scope: 'user',
  ...contract.list_imports,
  example: {
    input: { user_id: 'ann' },
    output: {
      imports: [
        {
          id: '43c26368ad68',
          sources: ['chat.txt'],
          state: 'done',
          started_at: '2026-05-01T10:00:00.000Z',
          ended_at: '2026-05-01T10:00:02.000Z',
          conversations: 1,
          saved: 1,
          nothing: 0,
          failed: 0,
          failures: [],
          kept_as_corrected: 0,
          deleted: 0,
        },
      ],
    },
  },
  run: async ({ user_id: userId }, { deps }: MemoryProcessorContext) => ({
    imports: (await deps.imports.list(userId)).map(toShown),
  }),
});
