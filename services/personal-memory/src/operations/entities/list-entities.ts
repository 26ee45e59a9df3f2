import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { toListed } from '../../domain/pages.ts';
import { toTimeRange } from '../../domain/times.ts';
import { toListText, toNextOffset } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { exampleEntity, toEntityAnswer } from './entity-answer.ts';

/** Lists entities. */
export const listEntitiesOperation = defineOperation({
  name: 'list_entities',
  title: 'Pets, people, things',
  description:
    'Lists the entities of the user, oldest first or last changed first: the active ones, or by type and status.',
  effect: 'reads',
  scope: 'user',
  ...contract.list_entities,
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
