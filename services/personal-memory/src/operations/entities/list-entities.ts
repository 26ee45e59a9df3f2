import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { toListed } from '../../domain/pages.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import {
  entityFilterFields,
  limitField,
  nextOffsetAnswer,
  offsetField,
  toListText,
  toNextOffset,
} from '../wire-schemas.ts';
import { entityAnswer, exampleEntity, toEntityAnswer } from './entity-answer.ts';

/** Lists entities. */
export const listEntitiesOperation = defineOperation({
  name: 'list_entities',
  title: 'Pets, people, things',
  description: 'Lists the entities of the user, oldest first: the active ones, or by type and status.',
  effect: 'reads',
  scope: 'user',
  input: z.object({ ...entityFilterFields, limit: limitField(200), offset: offsetField, user_id: userIdSchema }),
  output: z.object({ entities: z.array(entityAnswer), next_offset: nextOffsetAnswer }),
  example: {
    input: { user_id: 'ann', entity_type: 'pet' },
    output: { entities: [exampleEntity] },
  },
  toText: ({ entities }) => toListText(entities),
  run: ({ user_id, entity_type, status, ...page }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, ({ memory }) => {
      const listed = toListed(memory.entities({ type: entity_type, status }, { ...page, limit: page.limit + 1 }), page);
      return { entities: listed.items.map((entity) => toEntityAnswer(entity)), ...toNextOffset(listed) };
    }),
});
