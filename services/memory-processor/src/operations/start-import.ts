import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { withoutPrivateIn } from '@contextloom/safety/private';
import { defineOperation } from '@contextloom/server-kit';
import type { MemoryProcessorContext } from './deps.ts';
import { exampleOrder, toOrder } from './import-fields.ts';

/** Begins the import of a file that was handed in. */
export const startImport = defineOperation({
  name: 'start_import',
  title: 'Import a file of conversations',
  description:
    'Begins to save the conversations of a file that upload_import took in, and answers at once: list_imports tells how far it is, undo_import takes it back. The same file again goes on where an import was cut off.',
  effect: 'adds',
  hints: { isIdempotent: true, isOpenWorld: true },
  scope: 'user',
  ...contract.start_import,
  example: { input: exampleOrder, output: { id: '43c26368ad68', turns: 2 } },
  // Names of files are no messages.
  leaveOut: withoutPrivateIn,
  run: async (args, { deps, signal }: MemoryProcessorContext) => {
    const { id, total } = await deps.imports.start(toOrder(args), signal);
    return { id, turns: total };
  },
});
