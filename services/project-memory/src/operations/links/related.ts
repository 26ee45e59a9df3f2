import type { RelatedMemories } from '@contextloom/contracts/project-memory';
import type { Related } from '../../domain/links.ts';
import type { ProjectMemory } from '../../domain/project-memory.ts';

/** Related memories as they are answered. */
export function toRelated(related: readonly Related[]): RelatedMemories {
  return related.map(({ id, relation, direction, contentType, summary }) => ({
    id,
    relation,
    direction,
    content_type: contentType,
    summary,
  }));
}

/** Puts to each memory what it is related with. */
export async function withRelated<T extends { readonly id: string }>(
  results: readonly T[],
  memory: ProjectMemory,
  nearest: Parameters<ProjectMemory['relatedTo']>[1],
) {
  const related = await memory.relatedTo(
    results.map(({ id }) => id),
    nearest,
  );
  return results.map((result) => ({ ...result, related: toRelated(related.filter(({ ofId }) => ofId === result.id)) }));
}
