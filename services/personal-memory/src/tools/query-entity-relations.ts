import { z } from 'zod';
import { requireEntity } from '../domain/entities.ts';
import { idField, nameField, optionalField } from '../domain/fields.ts';
import { toIso } from '../domain/times.ts';
import { relationAnswer } from './answers.ts';
import { defineUserTool } from './user-tool.ts';

/** Lists the relations of an entity. */
export const queryEntityRelationsTool = defineUserTool({
  name: 'query_entity_relations',
  title: 'Relations of an entity',
  description: 'Lists what an entity is to others, and they to it.',
  kind: 'reads',
  list: 'relations',
  input: z.object({
    entity_id: idField('The entity.'),
    relation_type: optionalField(nameField('Only this kind of relation.')),
  }),
  output: z.object({ relations: z.array(relationAnswer) }),
  run: ({ entity_id, relation_type }, { memory }) => {
    requireEntity(entity_id, memory);
    return {
      relations: memory.relations(entity_id, relation_type).map(({ id, entityIds, type, metadata, createdAt }) => ({
        id,
        entity_id_1: entityIds[0],
        entity_id_2: entityIds[1],
        relation_type: type,
        metadata,
        created_at: toIso(createdAt),
      })),
    };
  },
});
