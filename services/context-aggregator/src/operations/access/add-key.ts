import { accessScopes, addKey as makeKey } from '@contextloom/access';
import { identifier, userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import type { AggregatorContext } from '../deps.ts';
import { shownKeySchema, toKeyFile, toShownKey } from './key-fields.ts';

const DAY_MS = 86_400_000;
/** Ten years; what lasts longer is to be made without an end on purpose. */
const MAX_DAYS = 3_650;
const MAX_IDS = 100;

const ids = (one: z.ZodString, what: string) =>
  z.array(one).min(1).max(MAX_IDS).optional().describe(`The ${what} that it reaches; without users and projects, all.`);

/** Makes a key for a caller over HTTP. */
export const addKey = defineOperation({
  name: 'add_key',
  title: 'Make a key',
  description:
    'Makes a key for a caller over HTTP and answers it, this once. From the first key on, every HTTP address of this installation asks for one.',
  effect: 'adds',
  requires: 'admin',
  scope: 'none',
  input: z.object({
    name: z.string().describe('What it is called: 1 to 64 letters, digits, ".", "_" or "-".'),
    users: ids(userIdSchema, 'users'),
    projects: ids(identifier('A project.'), 'projects'),
    scopes: z.array(z.enum(accessScopes)).min(1).default(['read', 'write']),
    expires_in_days: z.int().min(1).max(MAX_DAYS).optional().describe('It never ends without it.'),
  }),
  output: z.object({ key: z.string().describe('Shown once: it is stored as a hash.'), stored: shownKeySchema }),
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
