import { typedMemory as contract } from '@contextloom/contracts/typed-memory';
import { defineOperation } from '@contextloom/server-kit';
import { toShown } from './answers.ts';
import { type TypedMemoryContext, toolRoute } from './deps.ts';

/** Puts a memory into other words. */
export const memoryUpdate = defineOperation({
  name: 'memory_update',
  title: 'Correct a memory',
  description:
    'Replaces the words of one memory, under the same id and type; what it said before stays under "previous". Use it when the user corrects something. A secret cannot be updated: delete it and add the new one.',
  effect: 'replaces',
  hints: { isIdempotent: false, isDestructive: false },
  scope: 'user',
  ...contract.memory_update,
  example: {
    input: { user_id: 'ann', memory_id: 'mem_1f0c', content: 'Allergic to walnuts' },
    output: {
      success: true,
      memory: {
        memory_id: 'mem_1f0c',
        type: 'core',
        content: 'Allergic to walnuts',
        previous: [{ content: 'Allergic to peanuts', until: '2026-03-01T08:00:00.000Z' }],
      },
    },
  },
  route: { ...toolRoute('memory_update'), errors: ['not_found', 'unavailable', 'timeout'] },
  run: async ({ user_id, memory_id, content }, { deps: { memory } }: TypedMemoryContext) => ({
    success: true as const,
    memory: toShown(await memory.correct(user_id, { id: memory_id, content })),
  }),
});
