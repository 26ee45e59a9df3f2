import { z } from 'zod';
import { entityTypes } from '../domain/model.ts';
import { entityAnswer, toEntityAnswer } from './answers.ts';
import { statusField } from './search-fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Lists entities. */
export const listEntitiesTool = defineUserTool({
  name: 'list_entities',
  title: 'Pets, people, things',
  description: 'Lists the entities of the user: all active ones, or by type and status.',
  kind: 'reads',
  list: 'entities',
  input: z.object({
    entity_type: z.enum(entityTypes).optional().describe('Only this kind.'),
    status: statusField,
  }),
  output: z.object({ entities: z.array(entityAnswer) }),
  run: ({ entity_type, status }, { memory }) => ({
    entities: memory.entities({ type: entity_type, status }).map((entity) => toEntityAnswer(entity)),
  }),
});
