import { Badge, Button, Loader, Stack, Table, Title } from '@mantine/core';
import { useTexts } from '../i18n/texts.tsx';
import { Problem } from '../shell/problem.tsx';
import { useStatus } from './use-status.ts';

/** The room of the servers: which of them answer, and why the others do not. */
export default function Servers() {
  const { tell } = useTexts();
  const asked = useStatus();
  return (
    <Stack align="start">
      <Title order={1} size="h3">
        {tell('room.servers')}
      </Title>
      <Problem error={asked.error} />
      {asked.isPending && <Loader aria-label={tell('wait')} />}
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{tell('users.server')}</Table.Th>
            <Table.Th>{tell('servers.status')}</Table.Th>
            <Table.Th>{tell('servers.tools')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {Object.entries(asked.data?.components ?? {}).map(([server, { status, reason, tools }]) => (
            <Table.Tr key={server}>
              <Table.Th scope="row">{server}</Table.Th>
              <Table.Td>
                <Badge variant="default">{tell(`servers.${status}`)}</Badge> {reason}
              </Table.Td>
              <Table.Td>{tools ?? '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Button variant="default" onClick={() => void asked.refetch()} loading={asked.isFetching}>
        {tell('servers.refresh')}
      </Button>
    </Stack>
  );
}
