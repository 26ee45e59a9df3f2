import { typedMemory as contract } from '@contextloom/contracts/typed-memory';
import { defineOperation } from '@contextloom/server-kit';
import { toShown } from './answers.ts';
import { type TypedMemoryContext, toolRoute } from './deps.ts';

/** Reads one memory by its id. */
export const memoryGet = defineOperation({
  name: 'memory_get',
  title: 'Get a memory',
  description:
    'Reads one memory by its id, whole, with what it said before under "previous". Of a secret it shows the label.',
  effect: 'reads',
  scope: 'user',
  ...contract.memory_get,
  example: {
    input: { user_id: 'ann', memory_id: 'mem_1f0c' },
    output: { success: true, memory: { memory_id: 'mem_1f0c', type: 'core', content: 'Allergic to peanuts' } },
  },
  route: { ...toolRoute('memory_get'), errors: ['not_found', 'unavailable', 'timeout'] },
  run: async ({ user_id, memory_id }, { deps: { memory }, signal }: TypedMemoryContext) => ({
    success: true as const,
    memory: toShown(await memory.read(user_id, memory_id, signal)),
  }),
});
