import { Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Bar, BarChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { ServerAnswer } from '../calls/operations.ts';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { toDay } from '../memories/memory.ts';
import { MEMORIES } from '../memories/use-memories.ts';
import { Listing } from '../shell/listing.tsx';
import { Problem } from '../shell/problem.tsx';

type Month = ServerAnswer<'analyze_trends'>['months'][number];

/** Most months of the table; the chart has all. */
const MOST_MONTHS = 36;

/** Room around the chart, in pixels: half a number stands above the highest bar. */
const MARGIN = { top: 12, right: 5, bottom: 5, left: 5 } as const;

/** How often events happen, of one entity or all: as a chart, and as a table that says the same. Nothing without events. */
export default function Trends({ entityId }: { readonly entityId?: number }) {
  const { tell, language } = useTexts();
  const { callServer, offers } = useServer();
  const { user } = useUser();
  const result = useQuery({
    queryKey: [MEMORIES, user, 'trends', entityId],
    queryFn: ({ signal }) => {
      const args = { user_id: user, ...(entityId !== undefined && { entity_id: entityId }) };
      return callServer('analyze_trends', args, { signal });
    },
    enabled: offers('analyze_trends'),
  });
  if (result.error !== null) return <Problem error={result.error} />;
  if (result.data === undefined || result.data.events === 0) return null;
  const { events: count, events_per_month: rate, months, rhythm } = result.data;
  return (
    <Stack gap="xs">
      <Title order={entityId === undefined ? 2 : 3} size="h5">
        {tell('things.trends')}
      </Title>
      <Text>{tell('things.perMonth', { count, rate: Math.round(rate * 10) / 10 })}</Text>
      {rhythm !== null && (
        <Text>
          {tell('things.rhythm', { days: rhythm.interval_days, day: toDay(rhythm.next_expected, language) ?? '' })}
        </Text>
      )}
      {/* The table says the same. */}
      <div aria-hidden className="chart">
        <ResponsiveContainer width="100%" height={180}>
          <BarChart data={[...months]} margin={MARGIN} accessibilityLayer={false}>
            <XAxis dataKey="month" stroke="var(--mantine-color-text)" />
            <YAxis
              allowDecimals={false}
              domain={[0, 'dataMax']}
              interval={0}
              width={40}
              stroke="var(--mantine-color-text)"
            />
            <Tooltip
              contentStyle={{ background: 'var(--mantine-color-body)' }}
              itemStyle={{ color: 'var(--mantine-color-text)' }}
              cursor={{ fill: 'var(--mantine-color-default-hover)' }}
            />
            <Bar
              dataKey="events"
              name={tell('things.count')}
              fill="var(--mantine-primary-color-filled)"
              isAnimationActive={false}
            />
          </BarChart>
        </ResponsiveContainer>
      </div>
      <MonthTable months={months} />
    </Stack>
  );
}

function MonthTable({ months }: { readonly months: readonly Month[] }) {
  const { tell } = useTexts();
  const hasSpend = months.some(({ spend }) => spend !== 0);
  return (
    <Listing
      label={tell('things.trends')}
      heads={[tell('things.month'), tell('things.count'), hasSpend && tell('things.spend')]}
    >
      {months
        .slice(-MOST_MONTHS)
        .toReversed()
        .map(({ month, events, spend }) => (
          <Table.Tr key={month}>
            <Table.Th scope="row">{month}</Table.Th>
            <Table.Td>{events}</Table.Td>
            {hasSpend && <Table.Td>{spend}</Table.Td>}
          </Table.Tr>
        ))}
    </Listing>
  );
}
