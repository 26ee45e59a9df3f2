import { isExpired, type KeyFileOptions, type Principal, type StoredKey } from '@contextloom/access';
import { ContextloomError } from '@contextloom/contracts';
import { type AggregatorContext, toAccess } from '../deps.ts';

/** Shows a key. A key for users alone reaches no project, and the other way round. */
export function toShownKey(key: StoredKey, now: Date) {
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
export function toKeyFile({ deps, principal }: Pick<AggregatorContext, 'deps' | 'principal'>): KeyFileOptions {
  refuseBound(principal);
  return { ...toAccess(deps).keys, clock: deps.clock };
}

function refuseBound({ users, projects }: Principal): void {
  if (users === 'all' && projects === 'all') return;
  throw new ContextloomError('forbidden', 'keys are for a caller who reaches all users and projects');
}
