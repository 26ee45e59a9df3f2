import { typedMemory as contract } from '@contextloom/contracts/typed-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type TypedMemoryContext, toolRoute } from './deps.ts';

/** Removes a memory. */
export const memoryDelete = defineOperation({
  name: 'memory_delete',
  title: 'Forget a memory',
  description:
    'Removes one memory from searches, lists, profiles and prompts. Adding the same text again brings it back with its history; with erase nothing of it stays. Secrets are always erased.',
  effect: 'deletes',
  scope: 'user',
  ...contract.memory_delete,
  example: {
    input: { user_id: 'ann', memory_id: 'mem_1f0c' },
    output: { success: true, message: 'Memory deleted.' },
  },
  route: { ...toolRoute('memory_delete'), errors: ['not_found', 'unavailable', 'timeout'] },
  run: async ({ user_id, memory_id, erase }, { deps: { memory } }: TypedMemoryContext) => {
    await memory.remove(user_id, { id: memory_id, isErased: erase });
    return { success: true as const, message: erase ? 'Memory erased.' : 'Memory deleted.' };
  },
});
