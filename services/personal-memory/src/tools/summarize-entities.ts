import { z } from 'zod';
import { entityTypes, statuses } from '../domain/model.ts';
import { summarizeEntities } from '../domain/summaries.ts';
import { toIso } from '../domain/times.ts';
import { numbersAnswer } from './answers.ts';
import { entityFilterFields, limitField, nextOffsetAnswer, offsetField } from './search-fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Counts and sums up entities. */
export const summarizeEntitiesTool = defineUserTool({
  name: 'summarize_entities',
  title: 'All pets, people, things at a glance',
  description:
    'Counts the entities by type, each with its number of events, the last of them, and what its events cost.',
  kind: 'reads',
  input: z.object({ ...entityFilterFields, limit: limitField(200), offset: offsetField }),
  output: z.object({
    total_entities: z.int(),
    by_type: z.array(z.object({ entity_type: z.enum(entityTypes), count: z.int() })),
    entities: z.array(
      z.object({
        id: z.int(),
        entity_type: z.enum(entityTypes),
        name: z.string().nullable(),
        status: z.enum(statuses),
        events: z.int(),
        last_event_at: z.string().nullable(),
        cost: numbersAnswer,
      }),
    ),
    next_offset: nextOffsetAnswer,
  }),
  run: async ({ entity_type, status, limit, offset }, context) => {
    const page = { limit, offset };
    const { counts, entities } = await summarizeEntities({ type: entity_type, status, page }, context);
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return {
      total_entities: total,
      by_type: [...counts].map(([type, count]) => ({ entity_type: type, count })).filter(({ count }) => count > 0),
      ...(offset + limit < total && { next_offset: offset + limit }),
      entities: entities.map(({ entity: { id, type, name, status: own }, events, lastTime, cost }) => ({
        id,
        entity_type: type,
        name,
        status: own,
        events,
        last_event_at: lastTime === undefined ? null : toIso(lastTime),
        cost: cost ?? null,
      })),
    };
  },
});
