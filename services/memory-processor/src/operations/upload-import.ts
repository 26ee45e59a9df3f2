import { ContextloomError, userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { MAX_UPLOAD_BYTES } from '../imports/uploads.ts';
import type { MemoryProcessorContext } from './deps.ts';
import { exampleOrder, uploadSchema } from './import-fields.ts';

/** Longest piece, in characters of base64: with its message it stays below what a call may carry. */
const MAX_DATA = 4_000_000;

/** Decodes base64. @throws ContextloomError `invalid` for anything else: the decoder would leave it out without a word */
function decode(data: string): Buffer {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.toString('base64') === data) return bytes;
  throw new ContextloomError('invalid', 'data must be base64, with its padding', { field: 'data' });
}

/** Takes in a file of conversations, piece by piece. */
export const uploadImport = defineOperation({
  name: 'upload_import',
  title: 'Hand in a file of conversations',
  description: `Takes in a file of at most ${MAX_UPLOAD_BYTES} bytes, piece by piece: the first answers its name, the others bring that and where they belong. preview_import and start_import read it.`,
  effect: 'adds',
  scope: 'user',
  input: z.object({
    user_id: userIdSchema,
    upload: uploadSchema.optional().describe('Of a further piece: as the first was answered.'),
    name: z.string().trim().min(1).max(255).describe('What people call the file.'),
    offset: z.int().min(0).default(0).describe('Where the piece belongs, in bytes.'),
    data: z.string().min(1).max(MAX_DATA).describe('The bytes of the piece, as base64.'),
  }),
  output: z.object({ upload: z.string(), bytes: z.int().describe('How much of the file has come in.') }),
  example: {
    input: { user_id: 'ann', name: 'chat.txt', data: 'QW5uOiBJIG1vdmVkIHRvIExlaXRoLg==' },
    output: { upload: exampleOrder.upload, bytes: 22 },
  },
  run: ({ user_id: userId, upload, name, offset, data }, { deps }: MemoryProcessorContext) =>
    deps.imports.upload({ userId, upload, name, offset, bytes: decode(data) }),
});
