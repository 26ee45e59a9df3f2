import type { z } from 'zod';
import type { Related, Relation } from './domain/links.ts';
import { type MemoryDeps, type Owned, openFor } from './memory-deps.ts';
import type { linkAnswerSchema, linksAnswerSchema, unlinkAnswerSchema } from './wire-schemas.ts';

interface LinkEnds extends Owned {
  readonly from_id: string;
  readonly to_id: string;
}

/** Draws a link. */
export async function answerLink(
  { owner_id, from_id, to_id, relation }: LinkEnds & { readonly relation: Relation },
  deps: MemoryDeps,
): Promise<z.input<typeof linkAnswerSchema>> {
  const memory = await openFor({ owner_id }, deps);
  const status = await memory.link({ fromId: from_id, toId: to_id, relation });
  return { from_id, to_id, relation, status };
}

/** Removes links. */
export async function answerUnlink(
  { owner_id, from_id, to_id, relation }: LinkEnds & { readonly relation?: Relation | undefined },
  deps: MemoryDeps,
): Promise<z.input<typeof unlinkAnswerSchema>> {
  const memory = await openFor({ owner_id }, deps);
  return { removed: await memory.unlink({ fromId: from_id, toId: to_id, relation }) };
}

/** Lists the links of a memory. */
export async function answerLinks(
  { id, ...owned }: Owned & { readonly id: string },
  deps: MemoryDeps,
): Promise<z.input<typeof linksAnswerSchema>> {
  return { id, results: toRelated(await (await openFor(owned, deps)).links(id)) };
}

/** Related memories as they are answered. */
export function toRelated(related: readonly Related[]): z.input<typeof linksAnswerSchema>['results'] {
  return related.map(({ id, relation, direction, contentType, summary }) => ({
    ...{ id, relation, direction, content_type: contentType, summary },
  }));
}
