import { Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
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

/** Most months that are named below the chart: a phone has room for so many. */
const MOST_NAMES = 5;

/** How often events happen, of one entity or all: as a chart, and as a table that says the same. Nothing for less than two months. */
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
  // How often something happens shows in two months at the least.
  if (result.data === undefined || result.data.months.length < 2) return null;
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
      <MonthBars months={months} />
      <MonthTable months={months} />
    </Stack>
  );
}

/** A bar for each month, the highest as high as the chart. The table says the same. */
function MonthBars({ months }: { readonly months: readonly Month[] }) {
  const most = Math.max(...months.map(({ events }) => events));
  const step = Math.ceil(months.length / MOST_NAMES);
  return (
    <div aria-hidden className="chart">
      <span>{most}</span>
      <svg aria-hidden="true" viewBox={`0 0 ${months.length} ${most}`} preserveAspectRatio="none">
        {months.map(({ month, events }, at) => (
          <g key={month}>
            <title>{`${month}: ${events}`}</title>
            <rect className="month" x={at} width={1} height={most} />
            {events > 0 && <rect className="month-bar" x={at + 0.1} y={most - events} width={0.8} height={events} />}
          </g>
        ))}
      </svg>
      <div className="month-names">
        {months.map(({ month }, at) => (
          <span key={month}>{at % step === 0 && month}</span>
        ))}
      </div>
    </div>
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
