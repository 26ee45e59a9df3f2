import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { createEntity } from '../../domain/entities/entities.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** The most possible duplicates in an answer. */
const MAX_SHOWN = 10;

/** Stores an entity. */
export const createEntityOperation = defineOperation({
  name: 'create_entity',
  title: 'Remember a pet, a person, a thing',
  description:
    'Stores a thing with a life of its own, which events can be about: a pet, a property, a vehicle, a person. Look first with resolve_entity whether it is there: where the answer names possible_duplicates, ask the user, and join them with merge_entities.',
  effect: 'adds',
  scope: 'user',
  ...contract.create_entity,
  example: {
    input: { user_id: 'ann', entity_type: 'pet', name: 'Biscuit', attributes: { breed: 'golden retriever' } },
    output: { entity_id: 1 },
  },
  run: ({ user_id, ...given }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { id, namesakes } = await createEntity(given, context);
      if (namesakes.length === 0) return { entity_id: id };
      const others = namesakes
        .slice(0, MAX_SHOWN)
        .map(({ id: other, name, status }) => ({ entity_id: other, name, status }));
      return { entity_id: id, possible_duplicates: others };
    }),
});
