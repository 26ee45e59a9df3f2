import { z } from 'zod';
import { toListed } from '../domain/pages.ts';
import { entityAnswer, toEntityAnswer } from './answers.ts';
import { entityFilterFields, limitField, nextOffsetAnswer, offsetField, toNextOffset } from './search-fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Lists entities. */
export const listEntitiesTool = defineUserTool({
  name: 'list_entities',
  title: 'Pets, people, things',
  description: 'Lists the entities of the user, oldest first: the active ones, or by type and status.',
  kind: 'reads',
  list: 'entities',
  input: z.object({ ...entityFilterFields, limit: limitField(200), offset: offsetField }),
  output: z.object({ entities: z.array(entityAnswer), next_offset: nextOffsetAnswer }),
  run: ({ entity_type, status, ...page }, { memory }) => {
    const listed = toListed(memory.entities({ type: entity_type, status }, { ...page, limit: page.limit + 1 }), page);
    return { entities: listed.items.map((entity) => toEntityAnswer(entity)), ...toNextOffset(listed) };
  },
});
