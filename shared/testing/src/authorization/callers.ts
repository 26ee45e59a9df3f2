import type { AccessScope, SubjectKind } from '@contextloom/access';
import { addKey, revokeKey } from '@contextloom/access';

/** The kinds of caller that every call is made as. */
export const callers = [
  ...(['none', 'wrong', 'expired', 'revoked'] as const),
  ...(['reader', 'own', 'other', 'project', 'admin'] as const),
] as const;

/** One of {@link callers}. */
export type Caller = (typeof callers)[number];

/** How a call may be answered; whatever else becomes of one that is allowed is not looked at. */
export type Verdict = 'unauthorized' | 'forbidden' | 'allowed';

/** Whom the calls are about. */
export interface Owners {
  readonly user: string;
  readonly project: string;
}

/** An id that is not the one that examples are about. */
export const OTHER = 'somebody-else';

const YET_ANOTHER = 'yet-another';

/** What a call asks of its caller. */
export interface CallTarget {
  readonly requires: AccessScope;
  /** Whose data it is about; undefined where it is about nobody's. */
  readonly kind: SubjectKind | undefined;
  /** Who is named, if anybody is. */
  readonly names: 'own' | 'foreign' | 'nobody';
  /** Whether naming nobody means all that the caller reaches. */
  readonly isOptional: boolean;
  /** The kind of the one owner of all that the server has, where it has one. */
  readonly serves: SubjectKind | undefined;
}

const scopesOf: Readonly<Record<Caller, readonly AccessScope[]>> = {
  none: [],
  wrong: [],
  expired: [],
  revoked: [],
  reader: ['read'],
  own: ['read', 'write'],
  other: ['read', 'write'],
  project: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
};

/** Whether a caller reaches the owner of the examples, all owners, or none of a kind. */
function reachOf(caller: Caller, kind: SubjectKind): 'all' | 'own' | 'other' | 'nobody' {
  if (caller === 'reader' || caller === 'admin') return 'all';
  if (caller === 'project') return kind === 'project' ? 'own' : 'nobody';
  return caller === 'own' ? 'own' : 'other';
}

/** What a caller's rights say of a call. */
export function toExpected({ requires, kind, names, isOptional, serves }: CallTarget, caller: Caller): Verdict {
  const scopes = scopesOf[caller];
  if (scopes.length === 0) return 'unauthorized';
  if (!scopes.includes(requires)) return 'forbidden';
  if (serves !== undefined) {
    const isReached = ['all', 'own'].includes(reachOf(caller, serves));
    return isReached && names !== 'foreign' ? 'allowed' : 'forbidden';
  }
  if (kind === undefined) return 'allowed';
  const reach = reachOf(caller, kind);
  if (reach === 'all') return 'allowed';
  if (names === 'nobody') return reach === 'nobody' && !isOptional ? 'forbidden' : 'allowed';
  return reach === names ? 'allowed' : 'forbidden';
}

/** Makes a key for each caller that has one. */
export async function makeKeys(file: string, { user, project }: Owners): Promise<Readonly<Record<Caller, string>>> {
  const options = { file, clock: () => new Date() };
  const add = async (name: Caller, more: object = {}): Promise<string> => {
    const scopes: readonly AccessScope[] = scopesOf[name].length > 0 ? scopesOf[name] : ['read', 'write'];
    return (await addKey({ name, scopes, ...more }, options)).key;
  };
  const keys = {
    none: '',
    wrong: 'clk_wrong',
    expired: await add('expired', { expires_at: '2000-01-01T00:00:00Z' }),
    revoked: await add('revoked'),
    reader: await add('reader'),
    own: await add('own', { users: [user], projects: [project] }),
    other: await add('other', { users: [YET_ANOTHER], projects: [YET_ANOTHER] }),
    project: await add('project', { projects: [project] }),
    admin: await add('admin'),
  };
  await revokeKey('revoked', options);
  return keys;
}
