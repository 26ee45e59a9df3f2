import { mapInSlices } from '@contextloom/runtime/scheduling';
import { createSays, type MatchKeywords, toPhrase } from '../phrases.ts';
import type { MemoryReader } from '../store.ts';

/** The entities that the words of a search name. */
export interface NamedEntities {
  readonly ids: readonly number[];
  /** The names of some entities, to be searched like words of their own. */
  readonly namesOf: (entityIds: readonly number[]) => readonly string[];
}

/** The words of a search. */
export interface NameSearch {
  readonly query: string | undefined;
  /** Tests a text for keywords; undefined without keywords. */
  readonly keywords: MatchKeywords | undefined;
}

/** Finds the entities that a query says by name, and those whose names have a keyword; former names count. */
export async function findNamedEntities({ query, keywords }: NameSearch, memory: MemoryReader): Promise<NamedEntities> {
  const names = await memory.names();
  const says = createSays(query ?? '');
  const named = await mapInSlices(names, ({ entityId, name }) => {
    const isNamed = says(toPhrase(name)) || keywords?.(name) !== undefined;
    return isNamed ? [entityId] : [];
  });
  const namesById = new Map<number, string[]>();
  for (const { entityId, name } of names) namesById.set(entityId, [...(namesById.get(entityId) ?? []), name]);
  return {
    ids: [...new Set(named.flat())],
    namesOf: (entityIds) => entityIds.flatMap((id) => namesById.get(id) ?? []),
  };
}
