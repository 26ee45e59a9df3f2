import type { Principal } from '@contextloom/access';
import { PRINCIPAL_KEY } from '@contextloom/access';

/** What a request says of the principal for whom it is sent; nothing without one. */
export function toPrincipalMeta({ principal }: { readonly principal?: Principal | undefined }) {
  if (principal === undefined) return {};
  const { name, users, projects, scopes } = principal;
  return { _meta: { [PRINCIPAL_KEY]: { name, users, projects, scopes } } };
}
