import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import type { FollowedImport } from '../imports/import-desk.ts';
import type { MemoryProcessorContext } from './deps.ts';

const importSchema = z.object({
  id: z.string(),
  sources: z.array(z.string()).describe('The files, as they were called.'),
  state: z
    .enum(['running', 'done', 'stopped', 'undone', 'cut_off'])
    .describe('cut_off: its process ended; the same file again goes on with it.'),
  started_at: z.string(),
  ended_at: z.string().optional(),
  conversations: z.int().describe('Those that came to an end, whatever the end.'),
  saved: z.int().describe('Memories.'),
  nothing: z.int().describe('Conversations in which nothing was new.'),
  failed: z.int().describe('Conversations.'),
  corrected: z.int().describe('Memories that stay as the user corrected them.'),
  deleted: z.int().describe('Memories that are left out since the user deleted them.'),
  failures: z.array(z.object({ title: z.string(), reason: z.string() })).describe('The first hundred.'),
  progress: z.object({ done: z.int(), total: z.int() }).optional().describe('Turns, while it is under way here.'),
});

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
    corrected,
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
  input: z.object({ user_id: userIdSchema }),
  output: z.object({ imports: z.array(importSchema) }),
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
          corrected: 0,
          deleted: 0,
        },
      ],
    },
  },
  run: ({ user_id: userId }, { deps }: MemoryProcessorContext) => ({
    imports: deps.imports.list(userId).map(toShown),
  }),
});
