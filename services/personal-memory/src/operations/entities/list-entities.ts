import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { toListed } from '../../domain/pages.ts';
import { toTimeRange } from '../../domain/times.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import {
  changeFields,
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
  description:
    'Lists the entities of the user, oldest first or last changed first: the active ones, or by type and status.',
  effect: 'reads',
  scope: 'user',
  input: z.object({
    ...entityFilterFields,
    ...changeFields,
    limit: limitField(200),
    offset: offsetField,
    user_id: userIdSchema,
  }),
  output: z.object({ entities: z.array(entityAnswer), next_offset: nextOffsetAnswer }),
  example: {
    input: { user_id: 'ann', entity_type: 'pet' },
    output: { entities: [exampleEntity] },
  },
  toText: ({ entities }) => toListText(entities),
  run: ({ user_id, entity_type: type, time_range, limit, offset, ...given }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, (context) => {
      const filter = { ...given, type, range: toTimeRange(time_range, context) };
      const entities = context.memory.entities(filter, { limit: limit + 1, offset });
      const listed = toListed(entities, { limit, offset });
      return { entities: listed.items.map((entity) => toEntityAnswer(entity)), ...toNextOffset(listed) };
    }),
});
