import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { requireEntity } from '../../domain/entities/entities.ts';
import { toIso } from '../../domain/times.ts';
import { toListText } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Lists the relations of an entity. */
export const queryEntityRelationsOperation = defineOperation({
  name: 'query_entity_relations',
  title: 'Relations of an entity',
  description: 'Lists what an entity is to others and they to it, or all relations.',
  effect: 'reads',
  scope: 'user',
  ...contract.query_entity_relations,
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
