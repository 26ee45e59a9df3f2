import { Button, Group, Loader, NativeSelect, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answer, Input } from '../calls/operations.ts';
import { useServer } from '../calls/session.tsx';
import { useMoments } from '../i18n/dates.ts';
import { useTexts } from '../i18n/texts.tsx';
import { useViewTexts } from '../i18n/view-texts.ts';
import { Problem } from '../shell/problem.tsx';
import { activityTexts } from './texts.ts';

type Call = Answer<'list_activity'>['calls'][number];

/** How often the newest calls are requested, in milliseconds; not while the tab is hidden. */
const INTERVAL_MS = 2_000;

const outcomes = ['ok', 'failed'] as const satisfies readonly Input<'list_activity'>['outcome'][];

interface Filter {
  readonly user: string;
  readonly operation: string;
  readonly outcome: (typeof outcomes)[number] | '';
}

const toQuestion = ({ user, operation, outcome }: Filter): Input<'list_activity'> => ({
  ...(user.trim() !== '' && { user_id: user.trim() }),
  ...(operation.trim() !== '' && { operation: operation.trim() }),
  ...(outcome !== '' && { outcome }),
});

/** The page of the activity: the newest calls, as they come. */
export default function Activity() {
  const { tell } = useTexts();
  const say = useViewTexts(activityTexts);
  const { call, session } = useServer();
  const [filter, setFilter] = useState<Filter>({ user: '', operation: '', outcome: '' });
  const [isPaused, setPaused] = useState(false);
  const question = toQuestion(filter);
  const result = useQuery({
    queryKey: ['activity', question],
    queryFn: ({ signal }) => call('list_activity', question, { signal }),
    refetchInterval: isPaused ? false : INTERVAL_MS,
    placeholderData: keepPreviousData,
  });
  const change = (more: Partial<Filter>): void => setFilter((before) => ({ ...before, ...more }));
  const calls = result.data?.calls;
  return (
    <Stack>
      <Title order={1} size="h3">
        {tell('page.activity')}
      </Title>
      <Text>{say('intro')}</Text>
      {!(session.scopes.includes('admin') && session.users === 'all') && <Text>{say('own')}</Text>}
      <Group align="end">
        {session.users === 'all' && (
          <TextInput
            label={say('user')}
            maxLength={256}
            value={filter.user}
            onChange={({ currentTarget: { value } }) => change({ user: value })}
          />
        )}
        <TextInput
          label={say('operation')}
          maxLength={256}
          value={filter.operation}
          onChange={({ currentTarget: { value } }) => change({ operation: value })}
        />
        <NativeSelect
          label={say('outcome')}
          data={[
            { value: '', label: say('any') },
            { value: 'ok', label: say('ok') },
            { value: 'failed', label: say('failed') },
          ]}
          value={filter.outcome}
          onChange={({ currentTarget: { value } }) => change({ outcome: outcomes.find((one) => one === value) ?? '' })}
        />
        <Button variant="default" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {say(isPaused ? 'resume' : 'pause')}
        </Button>
      </Group>
      <Problem error={result.error} />
      {result.isPending && <Loader aria-label={tell('wait')} />}
      {calls?.length === 0 && <Text>{say('none')}</Text>}
      {calls !== undefined && calls.length > 0 && <CallTable calls={calls} />}
    </Stack>
  );
}

function CallTable({ calls }: { readonly calls: readonly Call[] }) {
  const say = useViewTexts(activityTexts);
  const toMoment = useMoments();
  return (
    // A keyboard scrolls it, too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to take the focus (WCAG 2.1.1)
    <section className="wide" aria-label={say('count', { count: calls.length })} tabIndex={0}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('time')}</Table.Th>
            <Table.Th>{say('who')}</Table.Th>
            <Table.Th>{say('operation')}</Table.Th>
            <Table.Th>{say('subjects')}</Table.Th>
            <Table.Th>{say('outcome')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {calls.map(({ time, who, operation, subjects, outcome }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two calls can be alike in every field, and a row has no state
            <Table.Tr key={`${time} ${calls.length - at}`}>
              <Table.Td className="moment">{toMoment(time)}</Table.Td>
              <Table.Td className="words">{who}</Table.Td>
              <Table.Td className="words">{operation}</Table.Td>
              <Table.Td className="words">{subjects.join(', ')}</Table.Td>
              <Table.Td fw={outcome === 'ok' ? undefined : 700}>{outcome === 'ok' ? say('ok') : outcome}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
