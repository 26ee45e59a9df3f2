import { z } from 'zod';
import { type EntityType, entityTypes, statuses } from '../domain/model.ts';
import { summarizeEntities } from '../domain/summaries.ts';
import { toIso } from '../domain/times.ts';
import { numbersAnswer } from './answers.ts';
import { entityFilterFields } from './search-fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Counts and sums up entities. */
export const summarizeEntitiesTool = defineUserTool({
  name: 'summarize_entities',
  title: 'All pets, people, things at a glance',
  description:
    'Counts the entities by type, each with its number of events, the last of them, and what its events cost.',
  kind: 'reads',
  input: z.object(entityFilterFields),
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
  }),
  run: ({ entity_type, status }, context) => {
    const summaries = summarizeEntities({ type: entity_type, status }, context);
    const countOf = (type: EntityType): number => summaries.filter(({ entity }) => entity.type === type).length;
    return {
      total_entities: summaries.length,
      by_type: entityTypes
        .map((type) => ({ entity_type: type, count: countOf(type) }))
        .filter(({ count }) => count > 0),
      entities: summaries.map(({ entity: { id, type, name, status: own }, events, lastTime, cost }) => ({
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
