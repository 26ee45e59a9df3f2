import { ContextloomError } from '@contextloom/contracts';
import { type MemoryKind, memoryKinds } from '@contextloom/contracts/aggregator';

/** Where a memory is: its kind says the store, and `own` is its id there. */
export interface MemoryAddress {
  readonly kind: MemoryKind;
  readonly own: string;
}

/** Writes the id of a memory as clients see it, such as `fact:city`. */
export function toMemoryId({ kind, own }: MemoryAddress): string {
  return `${kind}:${own}`;
}

/** Reads an id. @throws ContextloomError `invalid` for a text that no store gives as an id */
export function parseMemoryId(id: string): MemoryAddress {
  const at = id.indexOf(':');
  const kind = memoryKinds.find((known) => known === id.slice(0, at));
  if (kind !== undefined && id.length > at + 1) return { kind, own: id.slice(at + 1) };
  const message = `id must be one that recall, remember or list_memories gave, such as fact:city; it begins with ${memoryKinds.join(', ')}`;
  throw new ContextloomError('invalid', message, { field: 'id' });
}
