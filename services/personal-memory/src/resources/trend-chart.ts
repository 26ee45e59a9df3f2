import { ContextloomError, userIdSchema } from '@contextloom/contracts';
import { type EventType, eventTypes } from '@contextloom/contracts/personal-memory';
import { defineResource } from '@contextloom/server-kit';
import { z } from 'zod';
import { analyzeTrends, type Trends } from '../domain/events/trends.ts';
import type { PersonalMemoryDeps } from '../operations/deps.ts';

/** Draws events over time, as SVG text. */
export type DrawTrends = (trends: Trends, title: string) => string;

/** What the chart needs. */
export interface ChartDeps extends PersonalMemoryDeps {
  readonly drawTrends: DrawTrends;
}

const ALL = 'all';

/** A chart of the events of one kind, or all, by month. */
export const trendChartResource = defineResource<
  z.ZodObject<{ event_type: z.ZodEnum<Record<string, string>>; user_id: typeof userIdSchema }>,
  ChartDeps
>({
  uri: 'memory://trends/{event_type}.svg{?user_id}',
  name: 'Trend chart',
  title: 'Events and spending by month',
  description: `Events of a kind (${eventTypes.join(', ')}, or ${ALL}) and what they cost, month by month, drawn.`,
  mimeType: 'image/svg+xml',
  variables: z.object({ event_type: z.enum([...eventTypes, ALL]), user_id: userIdSchema }),
  list: async (bound, { store }) => {
    const user = bound['user_id'];
    if (user === undefined) return [];
    const types = await store.use(user, async (memory) => {
      const used: EventType[] = [];
      for (const type of eventTypes) if ((await memory.events({ type }, { limit: 1 })).length > 0) used.push(type);
      return used;
    });
    return [...types, ...(types.length > 0 ? [ALL] : [])].map((type) => ({
      variables: { event_type: type },
      name: `${type} events by month`,
    }));
  },
  read: async ({ event_type, user_id }, { store, drawTrends, ...common }) => {
    const type = event_type === ALL ? undefined : (event_type as EventType);
    const trends = await store.use(user_id, (memory) => analyzeTrends({ type }, { ...common, memory }));
    if (trends.count === 0) {
      throw new ContextloomError('not_found', `there are no ${event_type} events to draw`, { field: 'event_type' });
    }
    return { text: drawTrends(trends, type === undefined ? 'Events by month' : `${type} events by month`) };
  },
});
