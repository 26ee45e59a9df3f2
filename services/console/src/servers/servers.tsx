import type { ServiceStatus } from '@contextloom/contracts';
import { Alert, Button, Loader, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { useViewTexts } from '../i18n/view-texts.ts';
import { Problem } from '../shell/problem.tsx';
import { serverTexts } from './texts.ts';
import { STATUS, useStatus } from './use-status.ts';

/** The page of the servers: which of them answer, how fast, and why the others do not. */
export default function Servers() {
  const { tell } = useTexts();
  const say = useViewTexts(serverTexts);
  const result = useStatus();
  const configuration = result.data?.configuration;
  return (
    <Stack align="stretch">
      <Title order={1} size="h3">
        {tell('page.servers')}
      </Title>
      <Text>{say('measured')}</Text>
      <Problem error={result.error} />
      {configuration?.status === 'refused' && (
        <Alert color="red" variant="outline" className="words">
          {configuration.reason}
        </Alert>
      )}
      {result.isPending && <Loader aria-label={tell('wait')} />}
      {result.data !== undefined && <ServerTable components={result.data.components} />}
      <div>
        <Button variant="default" onClick={() => void result.refetch()} loading={result.isFetching}>
          {tell('servers.refresh')}
        </Button>
      </div>
    </Stack>
  );
}

type Components = ServiceStatus['components'];

function ServerTable({ components }: { readonly components: Components }) {
  const { tell } = useTexts();
  const say = useViewTexts(serverTexts);
  const { call, session } = useServer();
  const client = useQueryClient();
  const mayRestart = session.scopes.includes('admin');
  const restarting = useMutation({
    mutationFn: (server: string) => call('restart_server', { server }),
    onSettled: () => client.invalidateQueries({ queryKey: STATUS }),
  });
  const done = restarting.data;
  return (
    <>
      <Text role="status" className="words">
        {done?.status === 'running' && say('restarted', { server: done.server })}
        {done?.status === 'unavailable' && say('stillAway', { server: done.server, reason: done.reason ?? '' })}
      </Text>
      <Problem error={restarting.error} />
      <div className="wide">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{tell('users.server')}</Table.Th>
              <Table.Th>{tell('servers.status')}</Table.Th>
              <Table.Th>{tell('servers.tools')}</Table.Th>
              <Table.Th>{say('calls')}</Table.Th>
              <Table.Th>{say('failed')}</Table.Th>
              <Table.Th>{say('half')}</Table.Th>
              <Table.Th>{say('most')}</Table.Th>
              <Table.Th>{say('jobs')}</Table.Th>
              {mayRestart && <Table.Th>{say('restart')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {Object.entries(components).map(([server, component]) => (
              <Table.Tr key={server}>
                <Table.Th scope="row" className="words">
                  {server}
                </Table.Th>
                <Cells component={component} />
                {mayRestart && (
                  <Table.Td>
                    <Button
                      variant="default"
                      aria-label={say('restartNamed', { server })}
                      disabled={restarting.isPending}
                      onClick={() => restarting.mutate(server)}
                    >
                      {say('restart')}
                    </Button>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </>
  );
}

const jobStates = ['queued', 'running', 'failed', 'dead', 'cancelled', 'done'] as const;

/** How much of the model's budget of the day is used, and how many jobs wait for the next one. */
function BudgetLines({ budget }: { readonly budget: NonNullable<Components[string]['budget']> }) {
  const { tokens_used: used, tokens, dollars_used: spent, dollars, hours, waiting_jobs: count, next_at: next } = budget;
  const say = useViewTexts(serverTexts);
  const lines = [
    tokens === undefined ? say('budget.used', { used }) : say('budget.tokens', { used, tokens }),
    ...(dollars === undefined ? [] : [say('budget.dollars', { spent: (spent ?? 0).toFixed(4), dollars })]),
    ...(hours === undefined ? [] : [say('budget.hours', { hours })]),
    ...(count === 0 ? [] : [say('budget.waiting', { count })]),
    ...(next === undefined ? [] : [say('budget.next', { next: next.slice(0, 16).replace('T', ' ') })]),
  ];
  return lines.map((line) => <div key={line}>{line}</div>);
}

function Cells({
  component: { status, reason, tools, calls, jobs, budget },
}: {
  readonly component: Components[string];
}) {
  const { tell } = useTexts();
  const say = useViewTexts(serverTexts);
  const toMs = (ms: number | undefined): string => (ms === undefined ? '–' : say('ms', { ms }));
  const waiting = jobStates
    .filter((state) => (jobs?.[state] ?? 0) > 0)
    .map((state) => say(`jobs.${state}`, { count: jobs?.[state] ?? 0 }));
  return (
    <>
      <Table.Td className="words">
        <strong>{tell(`servers.${status}`)}</strong> {reason}
      </Table.Td>
      <Table.Td>{tools ?? '–'}</Table.Td>
      <Table.Td>{calls?.count ?? 0}</Table.Td>
      <Table.Td>{calls?.failed ?? 0}</Table.Td>
      <Table.Td>{toMs(calls?.p50_ms)}</Table.Td>
      <Table.Td>{toMs(calls?.p95_ms)}</Table.Td>
      <Table.Td>
        {waiting.length === 0 ? '–' : waiting.join(', ')}
        {budget !== undefined && <BudgetLines budget={budget} />}
      </Table.Td>
    </>
  );
}
