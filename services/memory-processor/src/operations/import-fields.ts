import { userIdSchema } from '@contextloom/contracts';
import { isTimeZone } from '@contextloom/retrieval/time';
import { z } from 'zod';
import type { ImportOrder } from '../imports/import-desk.ts';

const UPLOAD = 'must be the upload that upload_import answered';

/** The file of a user that was handed in. */
export const uploadSchema = z
  .string()
  .regex(/^[\da-f-]{36}$/u, UPLOAD)
  .describe('As upload_import answered it.');

/** What an import of a file is told. */
export const orderSchema = z.object({
  user_id: userIdSchema,
  upload: uploadSchema,
  me: z.array(z.string().min(1).max(256)).max(20).optional().describe('The names of the user in the chat.'),
  timezone: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Europe/Paris')
    .optional()
    .describe('The zone of times without one, such as Asia/Shanghai.'),
  format: z.string().min(1).max(64).optional().describe('The format, instead of the one that is found.'),
});

/** What the desk takes of it; what is absent stays absent. */
export const toOrder = ({ user_id: userId, ...order }: z.output<typeof orderSchema>): ImportOrder => ({
  userId,
  ...order,
});

/** The same call as references show it. */
export const exampleOrder = { user_id: 'ann', upload: '3f0c2a52-6f8e-4b53-9d0e-6a1f0b7c9d11', me: ['Ann'] };
