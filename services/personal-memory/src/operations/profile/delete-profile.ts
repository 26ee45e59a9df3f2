import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { deleteProfile } from '../../domain/profile/profile.ts';
import { toDeletionAnswer } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Deletes an attribute of the user. */
export const deleteProfileOperation = defineOperation({
  name: 'delete_profile',
  title: 'Forget a fact about the user',
  description:
    'Deletes a basic fact about the user. rollback_profile can bring it back, unless its history is erased as well.',
  effect: 'deletes',
  scope: 'user',
  ...contract.delete_profile,
  example: {
    input: { user_id: 'ann', key: 'city' },
    output: { deleted: true, changes: 1 },
  },
  run: ({ user_id, key, erase_history }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) =>
      toDeletionAnswer(await deleteProfile({ key, eraseHistory: erase_history }, context)),
    ),
});
