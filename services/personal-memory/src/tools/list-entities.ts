import { z } from 'zod';
import { entityTypes, statuses } from '../domain/model.ts';
import { entityAnswer, toEntityAnswer } from './answers.ts';
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
    status: z
      .enum([...statuses, 'all'])
      .default('active')
      .describe('Whether still part of the user’s life.'),
  }),
  output: z.object({ entities: z.array(entityAnswer) }),
  run: ({ entity_type, status }, { memory }) => ({
    entities: memory
      .entities({ type: entity_type, status: status === 'all' ? undefined : status })
      .map((entity) => toEntityAnswer(entity)),
  }),
});
