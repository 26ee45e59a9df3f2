import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Principal } from './principal.ts';

/** Carries a principal through the SDK, whose own fields are for tokens that it checks itself. */
export function toAuthInfo(principal: Principal): AuthInfo {
  return { token: '', clientId: principal.name, scopes: [...principal.scopes], extra: { principal } };
}

/** The principal of a request; undefined where the door has set none. */
export function principalOf(authInfo: AuthInfo | undefined): Principal | undefined {
  return authInfo?.extra?.['principal'] as Principal | undefined;
}
