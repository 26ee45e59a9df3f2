import { revokeKey as takeAway } from '@contextloom/access';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
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
  input: z.object({ name: z.string().min(1).max(64) }),
  output: z.object({ name: z.string(), revoked: z.literal(true) }),
  example: { input: { name: 'ann-phone' }, output: { name: 'ann-phone', revoked: true } },
  run: async ({ name }, context: AggregatorContext) => {
    await takeAway(name, toKeyFile(context));
    return { name, revoked: true as const };
  },
});
