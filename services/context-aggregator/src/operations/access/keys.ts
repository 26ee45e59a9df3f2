import {
  isExpired,
  type KeyFileOptions,
  addKey as makeKey,
  type Principal,
  listKeys as readKeys,
  type StoredKey,
  revokeKey as takeAway,
} from '@contextloom/access';
import { ContextloomError } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { type AggregatorContext, toAccess } from '../deps.ts';

/** Shows a key. A key for users alone reaches no project, and the other way round. */
function toShownKey(key: StoredKey, now: Date) {
  const { name, users, projects, scopes, servers, created_at, expires_at } = key;
  const rest = users === undefined && projects === undefined ? ('all' as const) : [];
  return {
    name,
    users: users ?? rest,
    projects: projects ?? rest,
    scopes,
    created_at,
    ...(servers !== undefined && { servers }),
    ...(expires_at !== undefined && { expires_at }),
    is_expired: isExpired(key, now),
  };
}

/**
 * Where the keys are, for a caller who may look at it: keys give rights over everybody.
 * @throws ContextloomError `forbidden` for a caller who does not reach everybody, `unavailable` over stdio
 */
function toKeyFile({ deps, principal }: Pick<AggregatorContext, 'deps' | 'principal'>): KeyFileOptions {
  refuseBound(principal);
  return { ...toAccess(deps).keys, clock: deps.clock };
}

function refuseBound({ users, projects }: Principal): void {
  if (users === 'all' && projects === 'all') return;
  throw new ContextloomError('forbidden', 'keys are for a caller who reaches all users and projects');
}

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
    const { isAuthRequired } = toAccess(context.deps).guard;
    return { asked: isAuthRequired?.() === true, keys: keys.map((key) => toShownKey(key, context.deps.clock())) };
  },
});

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
