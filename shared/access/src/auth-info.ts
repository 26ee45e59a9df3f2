import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Audit } from './calls/audit.ts';
import type { Principal } from './principal/principal.ts';

/** Carries a principal through the SDK, whose own fields are for tokens that it checks itself. */
export function toAuthInfo(principal: Principal, { audit, caller = principal.name }: AuthInfoOptions = {}): AuthInfo {
  return { token: '', clientId: principal.name, scopes: [...principal.scopes], extra: { principal, audit, caller } };
}

interface AuthInfoOptions {
  readonly audit?: Audit | undefined;
  /** By which limits count. */
  readonly caller?: string | undefined;
}

/** By which limits count a request: what a caller adds to its name is no part of it. */
export function callerOf(authInfo: AuthInfo | undefined): string | undefined {
  return authInfo?.extra?.['caller'] as string | undefined;
}

/** The principal of a request; undefined where the endpoint has set none. */
export function principalOf(authInfo: AuthInfo | undefined): Principal | undefined {
  return authInfo?.extra?.['principal'] as Principal | undefined;
}

/** Where the request's call is written down. */
export function auditOf(authInfo: AuthInfo | undefined): Audit | undefined {
  return authInfo?.extra?.['audit'] as Audit | undefined;
}
