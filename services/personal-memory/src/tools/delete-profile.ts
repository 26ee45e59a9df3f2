import { z } from 'zod';
import { nameField } from '../domain/fields.ts';
import { deleteProfile } from '../domain/profile.ts';
import { deletionAnswer, toDeletionAnswer } from './answers.ts';
import { defineUserTool } from './user-tool.ts';

/** Deletes an attribute of the user. */
export const deleteProfileTool = defineUserTool({
  name: 'delete_profile',
  title: 'Forget a fact about the user',
  description:
    'Deletes a basic fact about the user. rollback_profile can bring it back, unless its history is erased as well.',
  kind: 'replaces',
  input: z.object({
    key: nameField('The key of the fact.'),
    erase_history: z.boolean().default(false).describe('Whether earlier values go as well, for good.'),
  }),
  output: deletionAnswer,
  run: async ({ key, erase_history }, context) =>
    toDeletionAnswer(await deleteProfile({ key, eraseHistory: erase_history }, context)),
});
