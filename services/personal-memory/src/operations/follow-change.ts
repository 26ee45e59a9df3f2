import { FOLLOW_CHANGE } from '@contextloom/contracts';
import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { followChange } from '../domain/sources/follow.ts';
import { type PersonalMemoryContext, withMemoryOf } from './deps.ts';

/** Follows a change of memories, here or in other stores, to attributes, events, entities and relations. */
export const followChangeOperation = defineOperation({
  name: FOLLOW_CHANGE,
  title: 'Follow a change',
  description:
    'Lists the facts, events, entities and relations that were drawn from memories of any store which are gone or say something else now; with dry_run false it removes those that rest on nothing else, or takes them out of the profile, whose history keeps them.',
  effect: 'deletes',
  scope: 'user',
  ...contract.follow_change,
  example: {
    input: { user_id: 'ann', sources: ['note:said-1'], change: 'forgotten', dry_run: true },
    output: { consequences: [{ id: 'fact:city', what: 'removed', text: 'city: Leith' }] },
  },
  run: ({ user_id, dry_run: isDryRun = true, ...request }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => ({
      consequences: [...(await followChange({ ...request, isDryRun }, context))],
    })),
});
