import { ContextloomError } from '@contextloom/contracts';
import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { withoutPrivateIn } from '@contextloom/safety/private';
import { defineOperation } from '@contextloom/server-kit';
import { MAX_UPLOAD_BYTES } from '../imports/uploads.ts';
import type { MemoryProcessorContext } from './deps.ts';
import { exampleOrder } from './import-fields.ts';

/** Decodes base64. @throws ContextloomError `invalid` for anything else: the decoder would leave it out without a word */
function decode(data: string): Buffer {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.toString('base64') === data) return bytes;
  throw new ContextloomError('invalid', 'data must be base64, with its padding', { field: 'data' });
}

/** Takes in a file of conversations, piece by piece. */
export const uploadImport = defineOperation({
  name: 'upload_import',
  title: 'Upload a file of conversations',
  description: `Takes in a file of at most ${MAX_UPLOAD_BYTES} bytes, piece by piece: the first answers its name, the others bring that and where they belong. preview_import and start_import read it.`,
  effect: 'adds',
  scope: 'user',
  ...contract.upload_import,
  example: {
    input: { user_id: 'ann', name: 'chat.txt', data: 'QW5uOiBJIG1vdmVkIHRvIExlaXRoLg==' },
    output: { upload: exampleOrder.upload, bytes: 22 },
  },
  // Names of files are no messages.
  leaveOut: withoutPrivateIn,
  opaque: ['data'],
  run: ({ user_id: userId, upload, name, offset, data }, { deps }: MemoryProcessorContext) =>
    deps.imports.upload({ userId, upload, name, offset, bytes: decode(data) }),
});
