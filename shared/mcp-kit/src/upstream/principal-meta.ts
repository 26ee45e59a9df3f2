import type { Principal } from '../access/principal.ts';

/** The `_meta` key by which one server of the house tells another for whom it calls; it can only narrow what the caller may do. */
const PRINCIPAL_KEY = 'contextloom/principal';

/** What a request says of the principal for whom it is sent; nothing without one. */
export function toPrincipalMeta({ principal }: { readonly principal?: Principal | undefined }) {
  if (principal === undefined) return {};
  const { name, users, projects, scopes } = principal;
  return { _meta: { [PRINCIPAL_KEY]: { name, users, projects, scopes } } };
}
