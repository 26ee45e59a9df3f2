import { projectMemory as contract, type RelatedMemories } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import type { Related } from '../domain/links.ts';
import type { ProjectMemory } from '../domain/project-memory.ts';
import { openFor, type ProjectMemoryContext } from './deps.ts';
import { idSubject } from './subject.ts';

/** Draws a link. */
export const link = defineOperation({
  name: 'mem.link',
  title: 'Link two memories',
  description:
    'Links a memory with another one, of the same project or not, such as a test with what it tests. include_related of mem.search and mem.get shows links in both directions.',
  effect: 'adds',
  hints: { isIdempotent: true },
  scope: 'project',
  subject: idSubject,
  ...contract['mem.link'],
  example: {
    input: { from_id: 'mem_1f0c', to_id: 'mem_77aa', relation: 'tests' },
    output: { from_id: 'mem_1f0c', to_id: 'mem_77aa', relation: 'tests', status: 'created' },
  },
  route: {
    method: 'post',
    path: '/links',
    summary: 'Links a memory with another one.',
    errors: ['invalid', 'forbidden', 'not_found', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ owner_id, from_id, to_id, relation }, context: ProjectMemoryContext) => {
    const memory = await openFor({ owner_id }, context);
    return { from_id, to_id, relation, status: await memory.link({ fromId: from_id, toId: to_id, relation }) };
  },
});

/** Removes links. */
export const unlink = defineOperation({
  name: 'mem.unlink',
  title: 'Remove a link',
  description:
    'Removes the link from one memory to another one, or with no relation named all links from the one to the other.',
  effect: 'deletes',
  scope: 'project',
  subject: idSubject,
  ...contract['mem.unlink'],
  example: { input: { from_id: 'mem_1f0c', to_id: 'mem_77aa' }, output: { removed: 1 } },
  route: {
    method: 'delete',
    path: '/links',
    summary: 'Removes the links from one memory to another one.',
    errors: ['invalid', 'forbidden', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ owner_id, from_id, to_id, relation }, context: ProjectMemoryContext) => {
    const memory = await openFor({ owner_id }, context);
    return { removed: await memory.unlink({ fromId: from_id, toId: to_id, relation }) };
  },
});

/** What a memory is linked with. */
export const links = defineOperation({
  name: 'mem.links',
  title: 'List links of a memory',
  description: 'Lists what a memory is linked with, in both directions, in the order in which the links were drawn.',
  effect: 'reads',
  scope: 'project',
  subject: idSubject,
  ...contract['mem.links'],
  example: {
    input: { id: 'mem_1f0c' },
    output: {
      id: 'mem_1f0c',
      results: [
        {
          id: 'mem_77aa',
          relation: 'tests',
          direction: 'outgoing',
          content_type: 'testing',
          summary: 'A search over 50,000 memories.',
        },
      ],
    },
  },
  route: {
    method: 'get',
    path: '/memories/:id/links',
    summary: 'Lists what a memory is linked with, in both directions.',
    errors: ['invalid', 'forbidden', 'not_found', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ id, ...owned }, context: ProjectMemoryContext) => ({
    id,
    results: toRelated(await (await openFor(owned, context)).links(id)),
  }),
});

/** Related memories as they are answered. */
function toRelated(related: readonly Related[]): RelatedMemories {
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
