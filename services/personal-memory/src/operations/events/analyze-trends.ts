import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { analyzeTrends } from '../../domain/events/trends.ts';
import { toEventFilter } from '../../domain/search/search.ts';
import { toIso } from '../../domain/times.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Analyzes how events are spread over time. */
export const analyzeTrendsOperation = defineOperation({
  name: 'analyze_trends',
  title: 'Analyze trends',
  description:
    'Tells how often events happen, in which rhythm and when the next is due, and what they cost month by month. memory://trends/{event_type}.svg draws it.',
  effect: 'reads',
  scope: 'user',
  ...contract.analyze_trends,
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
