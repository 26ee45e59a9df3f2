import { addKey as makeKey } from '@contextloom/access';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import type { AggregatorContext } from '../deps.ts';
import { toKeyFile, toShownKey } from './key-fields.ts';

const DAY_MS = 86_400_000;
/** Makes a key for a caller over HTTP. */
export const addKey = defineOperation({
  name: 'add_key',
  title: 'Make a key',
  description:
    'Makes a key for a caller over HTTP and answers it, this once. From the first key on, every HTTP address of this installation asks for one.',
  effect: 'adds',
  requires: 'admin',
  scope: 'none',
  ...contract.add_key,
  example: {
    input: { name: 'ann-phone', users: ['ann'] },
    output: {
      key: 'clk_…',
      stored: {
        name: 'ann-phone',
        users: ['ann'],
        projects: [],
        scopes: ['read', 'write'],
        created_at: '2026-05-01T10:00:00.000Z',
        is_expired: false,
      },
    },
  },
  run: async ({ expires_in_days: days, ...request }, context: AggregatorContext) => {
    const file = toKeyFile(context);
    const now = file.clock();
    const expires_at = days === undefined ? undefined : new Date(now.getTime() + days * DAY_MS).toISOString();
    const { key, stored } = await makeKey({ ...request, ...(expires_at !== undefined && { expires_at }) }, file);
    return { key, stored: toShownKey(stored, now) };
  },
});
