import { z } from 'zod';
import { textField } from '../domain/fields.ts';
import { entityTypes, statuses } from '../domain/model.ts';
import { resolveEntity } from '../domain/resolve.ts';
import { limitField } from './search-fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Tells which entity a text is about. */
export const resolveEntityTool = defineUserTool({
  name: 'resolve_entity',
  title: 'Which one is meant',
  description:
    'Tells which entity words such as "my dog", 我的狗 or a name may mean: candidates with scores and reasons, best first.',
  kind: 'reads',
  list: 'candidates',
  input: z.object({ text: textField('The words, or the whole sentence.', 1_000), limit: limitField(5) }),
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
  run: async (args, context) => ({
    candidates: (await resolveEntity(args, context)).map(({ entity, score, reasons }) => ({
      entity_id: entity.id,
      entity_type: entity.type,
      name: entity.name,
      status: entity.status,
      score,
      reasons: reasons.map(({ kind, detail }) => ({ kind, detail })),
    })),
  }),
});
