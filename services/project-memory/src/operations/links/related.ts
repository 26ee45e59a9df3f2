import { z } from 'zod';
import { contentTypeSchema } from '../../domain/content-types.ts';
import { type Related, relations } from '../../domain/links.ts';
import type { ProjectMemory } from '../../domain/project-memory.ts';

/** Memories that have to do with one. */
export const relatedSchema = z.array(
  z.object({
    id: z.string(),
    relation: z.enum([...relations, 'similar']).describe('similar: near by meaning, and not linked.'),
    direction: z.enum(['outgoing', 'incoming', 'none']).describe('outgoing: the link begins at this memory.'),
    content_type: contentTypeSchema,
    summary: z.string(),
  }),
);

/** The same in an answer that shows them on request. */
export const relatedAnswer = relatedSchema.optional().describe('With include_related alone.');

/** Related memories as they are answered. */
export function toRelated(related: readonly Related[]): z.input<typeof relatedSchema> {
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
