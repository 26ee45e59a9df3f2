import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { rollBackProfile } from '../../domain/profile/profile.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Restores an earlier value of an attribute. */
export const rollbackProfileOperation = defineOperation({
  name: 'rollback_profile',
  title: 'Bring back an earlier value',
  description:
    'Brings back an earlier value of a basic fact, also of a deleted one: that of a version, or the one before.',
  effect: 'replaces',
  scope: 'user',
  ...contract.rollback_profile,
  example: {
    input: { user_id: 'ann', key: 'city', to: 1 },
    output: { rolled_back: true, value: 'Leith', previous_value: 'Hull' },
  },
  run: ({ user_id, ...args }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const outcome = await rollBackProfile(args, context);
      if (outcome === undefined) {
        const message = 'there is no such version; query_profile_history shows those there are';
        return { rolled_back: false, value: null, previous_value: null, message };
      }
      return { rolled_back: true, value: outcome.restored.value, previous_value: outcome.previous?.value ?? null };
    }),
});
