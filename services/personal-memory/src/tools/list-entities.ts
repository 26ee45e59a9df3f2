import { z } from 'zod';
import { entityAnswer, toEntityAnswer } from './answers.ts';
import { entityFilterFields } from './search-fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Lists entities. */
export const listEntitiesTool = defineUserTool({
  name: 'list_entities',
  title: 'Pets, people, things',
  description: 'Lists the entities of the user: all active ones, or by type and status.',
  kind: 'reads',
  list: 'entities',
  input: z.object(entityFilterFields),
  output: z.object({ entities: z.array(entityAnswer) }),
  run: ({ entity_type, status }, { memory }) => ({
    entities: memory.entities({ type: entity_type, status }).map((entity) => toEntityAnswer(entity)),
  }),
});
