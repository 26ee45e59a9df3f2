import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import type { MemoryProcessorContext } from './deps.ts';

/** Takes an import back. */
export const undoImport = defineOperation({
  name: 'undo_import',
  title: 'Undo an import',
  description:
    'Deletes all memories that came of an import, and what they had replaced stands as before. What the user has corrected since stays. One that is under way is stopped first.',
  effect: 'deletes',
  scope: 'user',
  ...contract.undo_import,
  example: {
    input: { user_id: 'ann', id: '43c26368ad68' },
    output: { id: '43c26368ad68', removed: 1, restored: 0, kept: 0 },
  },
  run: async ({ user_id: userId, id }, { deps }: MemoryProcessorContext) => {
    const { removed, restored, kept } = await deps.imports.undo(userId, id);
    return { id, removed, restored, kept };
  },
});
