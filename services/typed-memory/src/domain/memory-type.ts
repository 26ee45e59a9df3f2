import { z } from 'zod';

/** The six kinds of memory. */
export const memoryTypes = ['core', 'episodic', 'semantic', 'procedural', 'resource', 'knowledge_vault'] as const;
/** One of {@link memoryTypes}. */
export type MemoryType = (typeof memoryTypes)[number];

/** A kind of memory as callers name it: older clients say `credentials` for the knowledge vault. */
export const memoryTypeNameSchema = z
  .enum([...memoryTypes, 'credentials'])
  .describe(
    'core (personal facts), episodic (events), semantic (knowledge), procedural (steps), resource (documents, links), knowledge_vault (secrets and reference data; "credentials" means the same).',
  );
/** A kind of memory as callers name it. */
export type MemoryTypeName = z.output<typeof memoryTypeNameSchema>;

/** The kind that a name means. */
export function toMemoryType(name: MemoryTypeName): MemoryType {
  return name === 'credentials' ? 'knowledge_vault' : name;
}

/** The kinds that a list of names means, each once; undefined for no list and for an empty one. */
export function toMemoryTypes(names: readonly MemoryTypeName[] | undefined): readonly MemoryType[] | undefined {
  return names === undefined || names.length === 0 ? undefined : [...new Set(names.map(toMemoryType))];
}
