import { revokeKey as takeAway } from '@contextloom/access';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import type { AggregatorContext } from '../deps.ts';
import { toKeyFile } from './key-fields.ts';

/** Takes a key away. */
export const revokeKey = defineOperation({
  name: 'revoke_key',
  title: 'Revoke a key',
  description:
    'Takes a key away: its next request is refused, and answers under way end. Without any key left, callers are still asked for one.',
  effect: 'deletes',
  requires: 'admin',
  scope: 'none',
  ...contract.revoke_key,
  example: { input: { name: 'ann-phone' }, output: { name: 'ann-phone', revoked: true } },
  run: async ({ name }, context: AggregatorContext) => {
    await takeAway(name, toKeyFile(context));
    return { name, revoked: true as const };
  },
});
