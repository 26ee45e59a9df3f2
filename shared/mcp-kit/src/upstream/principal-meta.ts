import { PRINCIPAL_KEY } from '../access/credentials/house.ts';
import type { Principal } from '../access/principal/principal.ts';

/** What a request says of the principal for whom it is sent; nothing without one. */
export function toPrincipalMeta({ principal }: { readonly principal?: Principal | undefined }) {
  if (principal === undefined) return {};
  const { name, users, projects, scopes } = principal;
  return { _meta: { [PRINCIPAL_KEY]: { name, users, projects, scopes } } };
}
