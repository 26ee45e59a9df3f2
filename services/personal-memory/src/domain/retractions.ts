import type { Claim } from './store.ts';

/** In place of an import: what a person deleted of what imports had brought. No later import brings it back. */
export const RETRACTED = 'retracted';

/** What stands for a relation that is gone: its ends and its type. */
export function toGoneRelation(entityIds: readonly [number, number], type: string): Claim {
  return { kind: 'relation', entityId: entityIds[0], value: `${entityIds[1]} ${type}` };
}

/** The other end and the type of a relation that is gone, as {@link toGoneRelation} wrote them; undefined of another text. */
export function readGoneRelation(value: string): { readonly other: number; readonly type: string } | undefined {
  const at = value.indexOf(' ');
  const other = Number(value.slice(0, at));
  return at > 0 && Number.isSafeInteger(other) ? { other, type: value.slice(at + 1) } : undefined;
}
