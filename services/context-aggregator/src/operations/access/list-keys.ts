import { listKeys as readKeys } from '@contextloom/access';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { type AggregatorContext, toAccess } from '../deps.ts';
import { toKeyFile, toShownKey } from './key-fields.ts';

/** Lists who may call over HTTP. */
export const listKeys = defineOperation({
  name: 'list_keys',
  title: 'List keys',
  description: 'Lists the keys that callers over HTTP need, with their rights; never the text of a key.',
  effect: 'reads',
  requires: 'admin',
  scope: 'none',
  ...contract.list_keys,
  example: {
    input: {},
    output: {
      asked: true,
      keys: [
        {
          name: 'ann-phone',
          users: ['ann'],
          projects: [],
          scopes: ['read', 'write'],
          created_at: '2026-05-01T10:00:00.000Z',
          is_expired: false,
        },
      ],
    },
  },
  run: async (_nothing, context: AggregatorContext) => {
    const keys = await readKeys(toKeyFile(context));
    const { isAsked } = toAccess(context.deps).guard;
    return { asked: isAsked?.() === true, keys: keys.map((key) => toShownKey(key, context.deps.clock())) };
  },
});
