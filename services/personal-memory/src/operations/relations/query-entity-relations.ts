import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { requireEntity } from '../../domain/entities/entities.ts';
import { idField, nameField, optionalField } from '../../domain/fields.ts';
import { toIso } from '../../domain/times.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { storedObject, toListText } from '../wire-schemas.ts';

const relationAnswer = z.object({
  id: z.int(),
  entity_id_1: z.int(),
  entity_id_2: z.int(),
  relation_type: z.string(),
  metadata: storedObject,
  created_at: z.string(),
});

/** Lists the relations of an entity. */
export const queryEntityRelationsOperation = defineOperation({
  name: 'query_entity_relations',
  title: 'Relations of an entity',
  description: 'Lists what an entity is to others and they to it, or all relations.',
  effect: 'reads',
  scope: 'user',
  input: z.object({
    entity_id: idField('The entity; all relations without it.').optional(),
    relation_type: optionalField(nameField('Only this kind of relation.')),
    limit: z.int().min(1).max(10_000).optional().describe('Most relations, those made first; all without it.'),
    user_id: userIdSchema,
  }),
  output: z.object({ relations: z.array(relationAnswer) }),
  example: {
    input: { user_id: 'ann', entity_id: 1 },
    output: {
      relations: [
        {
          id: 1,
          entity_id_1: 3,
          entity_id_2: 1,
          relation_type: 'owns',
          metadata: {},
          created_at: '2026-03-02T09:30:00.000Z',
        },
      ],
    },
  },
  toText: ({ relations }) => toListText(relations),
  run: ({ user_id, entity_id, relation_type, limit }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, ({ memory }) => {
      if (entity_id !== undefined) requireEntity(entity_id, memory);
      return {
        relations: memory
          .relations(entity_id, relation_type)
          .slice(0, limit)
          .map(({ id, entityIds, type, metadata, createdAt }) => ({
            id,
            entity_id_1: entityIds[0],
            entity_id_2: entityIds[1],
            relation_type: type,
            metadata,
            created_at: toIso(createdAt),
          })),
      };
    }),
});
