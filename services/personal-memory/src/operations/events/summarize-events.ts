import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { summarizeEvents } from '../../domain/events/summaries.ts';
import { toEventFilter } from '../../domain/search/search.ts';
import { toIso } from '../../domain/times.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Counts and sums up events. */
export const summarizeEventsOperation = defineOperation({
  name: 'summarize_events',
  title: 'Summarize events',
  description:
    'Counts events by type, month or entity and sums up a number of their metadata, such as what the dog cost this year. An event about two entities counts for both.',
  effect: 'reads',
  scope: 'user',
  ...contract.summarize_events,
  example: {
    input: { user_id: 'ann', group_by: 'month', time_range: '2026' },
    output: {
      total_events: 1,
      numbers: { count: 1, sum: 180, average: 180, min: 180, max: 180 },
      groups: [
        {
          group: '2026-03',
          count: 1,
          first_at: '2026-03-01T09:30:00.000Z',
          last_at: '2026-03-01T09:30:00.000Z',
          numbers: { count: 1, sum: 180, average: 180, min: 180, max: 180 },
        },
      ],
    },
  },
  run: ({ user_id, group_by, metadata_field, ...given }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const filter = toEventFilter(given, context);
      const { count, numbers, groups } = await summarizeEvents(
        { by: group_by, field: metadata_field, filter },
        context,
      );
      return {
        total_events: count,
        numbers: numbers ?? null,
        groups: groups.map((group) => ({
          group: group.group,
          ...(group.entityId !== undefined && { entity_id: group.entityId }),
          count: group.count,
          first_at: toIso(group.firstTime),
          last_at: toIso(group.lastTime),
          numbers: group.numbers ?? null,
        })),
      };
    }),
});
