import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Audit } from './calls/audit.ts';
import type { Principal } from './principal/principal.ts';

/** Carries a principal through the SDK, whose own fields are for tokens that it checks itself. */
export function toAuthInfo(principal: Principal, audit?: Audit): AuthInfo {
  return { token: '', clientId: principal.name, scopes: [...principal.scopes], extra: { principal, audit } };
}

/** The principal of a request; undefined where the door has set none. */
export function principalOf(authInfo: AuthInfo | undefined): Principal | undefined {
  return authInfo?.extra?.['principal'] as Principal | undefined;
}

/** Where the request's call is written down. */
export function auditOf(authInfo: AuthInfo | undefined): Audit | undefined {
  return authInfo?.extra?.['audit'] as Audit | undefined;
}
