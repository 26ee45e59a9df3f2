import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { resolveEntity } from '../../domain/entities/resolve.ts';
import { textField } from '../../domain/fields.ts';
import { entityTypes, statuses } from '../../domain/model.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { limitField, toListText } from '../wire-schemas.ts';

/** Finds the entities that a text may mean. */
export const resolveEntityOperation = defineOperation({
  name: 'resolve_entity',
  title: 'Which one is meant',
  description:
    'Tells which entity words such as "my dog", 我的狗 or a name may mean: candidates with scores and reasons, best first.',
  effect: 'reads',
  scope: 'user',
  input: z.object({
    text: textField('The words, or the whole sentence.', 1_000),
    limit: limitField(5),
    user_id: userIdSchema,
  }),
  output: z.object({
    candidates: z.array(
      z.object({
        entity_id: z.int(),
        entity_type: z.enum(entityTypes),
        name: z.string().nullable(),
        status: z.enum(statuses),
        score: z.number(),
        reasons: z.array(z.object({ kind: z.string(), detail: z.string() })),
      }),
    ),
  }),
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
