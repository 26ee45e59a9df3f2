import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { summarizeEntities } from '../../domain/events/summaries.ts';
import { toIso } from '../../domain/times.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Counts and sums up entities. */
export const summarizeEntitiesOperation = defineOperation({
  name: 'summarize_entities',
  title: 'Summarize pets, people, things',
  description:
    'Counts the entities by type, each with its number of events, the last of them, and what its events cost.',
  effect: 'reads',
  scope: 'user',
  ...contract.summarize_entities,
  example: {
    input: { user_id: 'ann' },
    output: {
      total_entities: 1,
      by_type: [{ entity_type: 'pet', count: 1 }],
      entities: [
        {
          id: 1,
          entity_type: 'pet',
          name: 'Biscuit',
          status: 'active',
          events: 2,
          last_event_at: '2026-03-02T09:30:00.000Z',
          cost: { count: 2, sum: 240, average: 120, min: 60, max: 180 },
        },
      ],
    },
  },
  run: ({ user_id, entity_type, status, limit, offset }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
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
    }),
});
