import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { analyzeTrends } from '../../domain/events/trends.ts';
import { toEventFilter } from '../../domain/search/search.ts';
import { toIso } from '../../domain/times.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { eventFilterFields } from '../wire-schemas.ts';

/** Analyzes how events are spread over time. */
export const analyzeTrendsOperation = defineOperation({
  name: 'analyze_trends',
  title: 'How often, in which rhythm, at what cost',
  description:
    'Tells how often events happen, in which rhythm and when the next is due, and what they cost month by month. memory://trends/{event_type}.svg draws it.',
  effect: 'reads',
  scope: 'user',
  input: z.object({ ...eventFilterFields, user_id: userIdSchema }),
  output: z.object({
    events: z.int(),
    first_at: z.string().nullable(),
    last_at: z.string().nullable(),
    events_per_month: z.number(),
    spend: z.number(),
    months: z.array(z.object({ month: z.string(), events: z.int(), spend: z.number() })),
    rhythm: z
      .object({
        interval_days: z.number(),
        strength: z.number().describe('The share of the gaps that keep to it, 0 to 1.'),
        next_expected: z.string(),
        overdue: z.boolean(),
      })
      .nullable()
      .describe('null when there are too few events, or no rhythm in them.'),
  }),
  example: {
    input: { user_id: 'ann', event_type: 'maintenance' },
    output: {
      events: 6,
      first_at: '2026-01-05T09:00:00.000Z',
      last_at: '2026-06-05T09:00:00.000Z',
      events_per_month: 1.2,
      spend: 360,
      months: [{ month: '2026-01', events: 1, spend: 60 }],
      rhythm: { interval_days: 30, strength: 1, next_expected: '2026-07-05T09:00:00.000Z', overdue: false },
    },
  },
  run: ({ user_id, ...given }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const trends = await analyzeTrends(toEventFilter(given, context), context);
      const { count, firstTime, lastTime, perMonth, spend, months, rhythm } = trends;
      return {
        events: count,
        first_at: firstTime === undefined ? null : toIso(firstTime),
        last_at: lastTime === undefined ? null : toIso(lastTime),
        events_per_month: perMonth,
        spend,
        months: months.map((month) => ({ month: month.month, events: month.count, spend: month.spend })),
        rhythm:
          rhythm === undefined
            ? null
            : {
                interval_days: rhythm.days,
                strength: rhythm.strength,
                next_expected: toIso(rhythm.next),
                overdue: rhythm.next < context.clock().getTime(),
              },
      };
    }),
});
