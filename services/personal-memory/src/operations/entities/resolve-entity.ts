import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { resolveEntity } from '../../domain/entities/resolve.ts';
import { toListText } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Finds the entities that a text may mean. */
export const resolveEntityOperation = defineOperation({
  name: 'resolve_entity',
  title: 'Resolve an entity',
  description:
    'Tells which entity words such as "my dog", 我的狗 or a name may mean: candidates with scores and reasons, best first.',
  effect: 'reads',
  scope: 'user',
  ...contract.resolve_entity,
  example: {
    input: { user_id: 'ann', text: 'my dog' },
    output: {
      candidates: [
        {
          entity_id: 1,
          entity_type: 'pet',
          name: 'Biscuit',
          status: 'active',
          score: 0.6,
          reasons: [{ kind: 'type', detail: 'dog' }],
        },
      ],
    },
  },
  toText: ({ candidates }) => toListText(candidates),
  run: ({ user_id, ...args }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => ({
      candidates: (await resolveEntity(args, context)).map(({ entity, score, reasons }) => ({
        entity_id: entity.id,
        entity_type: entity.type,
        name: entity.name,
        status: entity.status,
        score,
        reasons: reasons.map(({ kind, detail }) => ({ kind, detail })),
      })),
    })),
});
