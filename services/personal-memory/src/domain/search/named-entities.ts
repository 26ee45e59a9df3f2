import { mapInSlices } from '@contextloom/retrieval/scheduling';
import type { MatchKeywords } from '../phrases.ts';
import { createSays, toPhrase } from '../phrases.ts';
import type { MemoryReader } from '../store.ts';

/** The entities that words name, and the names of each. */
export interface NamedEntities {
  readonly ids: readonly number[];
  /** The names of some entities, to be searched like words of their own. */
  readonly namesOf: (entityIds: readonly number[]) => readonly string[];
}

/** Which words are asked for. */
export interface Asked {
  readonly query: string | undefined;
  /** Finds keywords in a text; undefined without any. */
  readonly keywords: MatchKeywords | undefined;
}

/** Finds the entities that a query says by name, and those whose names have a keyword; former names count. */
export async function findNamedEntities({ query, keywords }: Asked, memory: MemoryReader): Promise<NamedEntities> {
  const names = memory.names();
  const says = createSays(query ?? '');
  const asked = await mapInSlices(names, ({ entityId, name }) => {
    const isNamed = says(toPhrase(name)) || keywords?.(name) !== undefined;
    return isNamed ? [entityId] : [];
  });
  const namesById = new Map<number, string[]>();
  for (const { entityId, name } of names) namesById.set(entityId, [...(namesById.get(entityId) ?? []), name]);
  return {
    ids: [...new Set(asked.flat())],
    namesOf: (entityIds) => entityIds.flatMap((id) => namesById.get(id) ?? []),
  };
}
