import type { DocumentWrite, PutOutcome } from '../domain/store.ts';

/** Why a document may not replace the one with its id; undefined when it may. */
export function toRefusal(
  { document: { id }, owner, mustBeNew = false }: DocumentWrite,
  holder: { readonly owner: string } | undefined,
  keepOwners: boolean,
): Exclude<PutOutcome, { kind: 'stored' }> | undefined {
  if (holder === undefined) return undefined;
  if (keepOwners && holder.owner !== owner) return { kind: 'owned_by_another', id };
  return mustBeNew ? { kind: 'exists', id } : undefined;
}
