import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { nameField } from '../../domain/fields.ts';
import { deleteProfile } from '../../domain/profile/profile.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { deletionAnswer, toDeletionAnswer } from '../wire-schemas.ts';

/** Deletes an attribute of the user. */
export const deleteProfileOperation = defineOperation({
  name: 'delete_profile',
  title: 'Forget a fact about the user',
  description:
    'Deletes a basic fact about the user. rollback_profile can bring it back, unless its history is erased as well.',
  effect: 'deletes',
  scope: 'user',
  input: z.object({
    key: nameField('The key of the fact.'),
    erase_history: z.boolean().default(false).describe('Whether earlier values go as well, for good.'),
    user_id: userIdSchema,
  }),
  output: deletionAnswer,
  example: {
    input: { user_id: 'ann', key: 'city' },
    output: { deleted: true, changes: 1 },
  },
  run: ({ user_id, key, erase_history }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) =>
      toDeletionAnswer(await deleteProfile({ key, eraseHistory: erase_history }, context)),
    ),
});
