import { z } from 'zod';
import { nameField } from '../domain/fields.ts';
import { toEventFilter } from '../domain/search.ts';
import { groupings, summarizeEvents } from '../domain/summaries.ts';
import { toIso } from '../domain/times.ts';
import { numbersAnswer } from './answers.ts';
import { eventFilterFields } from './search-fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Counts and sums up events. */
export const summarizeEventsTool = defineUserTool({
  name: 'summarize_events',
  title: 'Count and sum up what happened',
  description:
    'Counts events by type, month or entity and sums up a number of their metadata, such as what the dog cost this year. An event about two entities counts for both.',
  kind: 'reads',
  input: z.object({
    group_by: z.enum(groupings).describe('What the groups are.'),
    metadata_field: nameField('The number of the metadata to sum up.').default('cost'),
    ...eventFilterFields,
  }),
  output: z.object({
    total_events: z.int(),
    numbers: numbersAnswer,
    groups: z.array(
      z.object({
        group: z.string(),
        entity_id: z.int().optional(),
        count: z.int(),
        first_at: z.string(),
        last_at: z.string(),
        numbers: numbersAnswer,
      }),
    ),
  }),
  run: async ({ group_by, metadata_field, ...given }, context) => {
    const filter = toEventFilter(given, context);
    const { count, numbers, groups } = await summarizeEvents({ by: group_by, field: metadata_field, filter }, context);
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
  },
});
