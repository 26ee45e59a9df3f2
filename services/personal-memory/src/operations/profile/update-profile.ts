import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { updateProfile } from '../../domain/profile/profile.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Stores an attribute of the user. */
export const updateProfileOperation = defineOperation({
  name: 'update_profile',
  title: 'Remember something about the user',
  description:
    'Stores or replaces a basic fact about the user, such as where they work, what they like, a habit. Answers with the value that was there, and with what other keys that mean the same say (city, location).',
  effect: 'replaces',
  scope: 'user',
  ...contract.update_profile,
  example: {
    input: { user_id: 'ann', key: 'city', value: 'Leith', category: 'basic_info' },
    output: {
      updated: true,
      had_previous_value: true,
      previous_value: 'Berlin',
      contradicts_today: [],
      conflicts: [{ key: 'location', value: 'Berlin' }],
    },
  },
  run: ({ user_id, ...update }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { previous, contradicted, conflicts } = await updateProfile(update, context);
      return {
        updated: true,
        had_previous_value: previous !== undefined,
        previous_value: previous?.value ?? null,
        contradicts_today: [...contradicted],
        conflicts: conflicts.map(({ key, value }) => ({ key, value })),
      };
    }),
});
