import type { ForgetEverywhereAnswer } from '@contextloom/contracts';
import { Alert, Button, Group, Modal, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { CopyButton } from '../shell/copy-button.tsx';
import { Problem } from '../shell/problem.tsx';
import { USERS, UserList } from './user-list.tsx';

/** The page of the users: what every server stores of one, and forgetting it with a receipt. */
export default function Users() {
  const { tell } = useTexts();
  const { call, session } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const [isSure, setSure] = useState(false);
  const counting = useMutation({
    mutationFn: (isDryRun: boolean) => call('forget_user', { user_id: user, dry_run: isDryRun }),
    onSuccess: (_answer, isDryRun) => {
      // Nothing of the user stays in the browser either.
      if (isDryRun) return;
      client.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(user) });
      return client.invalidateQueries({ queryKey: USERS });
    },
  });
  if (!session.scopes.includes('admin')) return <Alert title={tell('users.admin')} />;
  return (
    <Stack>
      <Title order={1} size="h3">
        {tell('page.users')}
      </Title>
      <Title order={2} size="h4" className="words">
        {user}
      </Title>
      <Text>{tell('users.text')}</Text>
      <Group>
        <Button onClick={() => counting.mutate(true)} loading={counting.isPending}>
          {tell('users.count')}
        </Button>
        <Button color="red" variant="outline" onClick={() => setSure(true)}>
          {tell('users.forget')}
        </Button>
      </Group>
      <Problem error={counting.error} />
      {counting.data !== undefined && <Receipt receipt={counting.data} />}
      <Confirmation
        user={user}
        isOpen={isSure}
        onClose={() => setSure(false)}
        onSure={() => {
          setSure(false);
          counting.mutate(false);
        }}
      />
      <UserList />
    </Stack>
  );
}

interface ConfirmationProps {
  readonly user: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSure: () => void;
}

function Confirmation({ user, isOpen, onClose, onSure }: ConfirmationProps) {
  const { tell } = useTexts();
  const [typed, setTyped] = useState('');
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={tell('users.forget')}
      closeButtonProps={{ 'aria-label': tell('close') }}
    >
      <Stack>
        <Text>{tell('users.final')}</Text>
        <TextInput
          label={`${tell('users.sure')}: ${user}`}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Group>
          <Button color="red" disabled={typed !== user} onClick={onSure}>
            {tell('users.forget')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {tell('cancel')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Receipt({ receipt }: { readonly receipt: ForgetEverywhereAnswer }) {
  const { tell } = useTexts();
  const rows = receipt.servers.flatMap(({ server, erased }) => erased.map((one) => ({ server, ...one })));
  return (
    <>
      <Title order={2} size="h4">
        {tell(receipt.dry_run ? 'users.count' : 'users.receipt')}
      </Title>
      <Text role="status">
        {tell('users.total')}: {receipt.total}
      </Text>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{tell('users.server')}</Table.Th>
            <Table.Th>{tell('users.what')}</Table.Th>
            <Table.Th>{tell('users.number')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ server, what, count }) => (
            <Table.Tr key={`${server} ${what}`}>
              <Table.Td>{server}</Table.Td>
              <Table.Td>{what}</Table.Td>
              <Table.Td>{count}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {receipt.unreached.length > 0 && (
        <Alert title={tell('users.unreached')} color="gray" variant="outline">
          {receipt.unreached.map(({ server, what, why }) => (
            <Text key={`${server} ${what}`} className="words">
              {server}: {what} – {why}
            </Text>
          ))}
        </Alert>
      )}
      <CopyButton text={JSON.stringify(receipt, null, 2)} label={tell('copy')} />
    </>
  );
}
