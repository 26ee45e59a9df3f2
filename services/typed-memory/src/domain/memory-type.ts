import type { MemoryType, MemoryTypeName } from '@contextloom/contracts/typed-memory';

/** The kind that a name means. */
export function toMemoryType(name: MemoryTypeName): MemoryType {
  return name === 'credentials' ? 'knowledge_vault' : name;
}

/** The kinds that a list of names means, each once; undefined for no list and for an empty one. */
export function toMemoryTypes(names: readonly MemoryTypeName[] | undefined): readonly MemoryType[] | undefined {
  return names === undefined || names.length === 0 ? undefined : [...new Set(names.map(toMemoryType))];
}
