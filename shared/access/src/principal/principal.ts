import { type AccessScope, accessScopes, ContextloomError } from '@contextloom/contracts';

export { type AccessScope, accessScopes };

/** The kinds of owner that a call can name. */
export type SubjectKind = 'user' | 'project';

/** Whom a principal reaches: everybody, or these ids alone. */
export type AllowedIds = 'all' | readonly string[];

/**
 * Who calls: bound at start on stdio, read from each request over HTTP. Nothing below the border knows anything else about
 * the caller.
 */
export interface Principal {
  /** For logs and audits; whose session it is over HTTP. */
  readonly name: string;
  readonly users: AllowedIds;
  readonly projects: AllowedIds;
  readonly scopes: readonly AccessScope[];
}

/** Whoever started the process, over stdio: reaches everything that the process does. */
export const localPrincipal: Principal = { name: 'local', users: 'all', projects: 'all', scopes: accessScopes };

const narrowReach = (reach: AllowedIds, limit: AllowedIds): AllowedIds => {
  if (limit === 'all') return reach;
  return reach === 'all' ? limit : reach.filter((id) => limit.includes(id));
};

/** What both principals may do: a caller's own rights within those that the server was started with. */
export function narrowPrincipal(principal: Principal, limit: Omit<Principal, 'name'>): Principal {
  return {
    name: principal.name,
    users: narrowReach(principal.users, limit.users),
    projects: narrowReach(principal.projects, limit.projects),
    scopes: principal.scopes.filter((scope) => limit.scopes.includes(scope)),
  };
}

/** Whom a principal reaches of one kind. */
export function reachOf(principal: Principal, kind: SubjectKind): AllowedIds {
  return kind === 'user' ? principal.users : principal.projects;
}

/** The only id that a principal reaches; undefined if it reaches none or several. */
export function onlyReached(reach: AllowedIds): string | undefined {
  return reach !== 'all' && reach.length === 1 ? reach[0] : undefined;
}

/**
 * Refuses an id that the principal does not reach.
 * @throws ContextloomError `forbidden`
 */
export function requireReached(reach: AllowedIds, id: unknown, field: string): void {
  if (reach === 'all' || (typeof id === 'string' && reach.includes(id))) return;
  const only = onlyReached(reach);
  const message =
    only === undefined
      ? `${field} must be one that this caller may name`
      : `${field} must be ${JSON.stringify(only)} or left out: this caller is bound to it`;
  throw new ContextloomError('forbidden', message, { field });
}
