import type { ListAllUsersAnswer } from '@contextloom/contracts';
import { Anchor, Button, Loader, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useMoments } from '../i18n/dates.ts';
import { useTexts } from '../i18n/texts.tsx';
import { useViewTexts } from '../i18n/view-texts.ts';
import { download } from '../shell/download.ts';
import { Listing } from '../shell/listing.tsx';
import { Problem } from '../shell/problem.tsx';
import { canExport, exportUser } from './export-user.ts';
import { userTexts } from './texts.ts';

/** How the list of users is known to the cache. */
export const USERS = ['users'];
/** So many users are shown; more are found by their names. */
const MAX_SHOWN = 100;

type ListedUser = ListAllUsersAnswer['users'][number];

const toMegabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

/** All users of the installation, how much is stored of each, and an archive of each to download. */
export function UserList() {
  const { tell } = useTexts();
  const say = useViewTexts(userTexts);
  const { call } = useServer();
  const [words, setWords] = useState('');
  const result = useQuery({
    queryKey: USERS,
    queryFn: ({ signal }) => call('list_users', {}, { signal }),
  });
  const found = (result.data?.users ?? []).filter(({ user_id: id }) => id.toLowerCase().includes(words.toLowerCase()));
  const sizes = (result.data?.stores ?? []).flatMap(({ server, bytes }) =>
    bytes === undefined ? [] : [`${server} ${toMegabytes(bytes)} MB`],
  );
  return (
    <Stack>
      <Title order={2} size="h4">
        {say('list')}
      </Title>
      <TextInput
        label={say('find')}
        maxLength={256}
        value={words}
        onChange={({ currentTarget: { value } }) => setWords(value)}
      />
      <Problem error={result.error} />
      {result.isPending && <Loader aria-label={tell('wait')} />}
      {found.length > 0 && <UserTable users={found.slice(0, MAX_SHOWN)} />}
      {found.length > MAX_SHOWN && <Text>{say('more', { count: found.length - MAX_SHOWN })}</Text>}
      {sizes.length > 0 && (
        <Text>
          {say('size')}
          {sizes.join(', ')}
        </Text>
      )}
      {result.data?.unreached.map(({ server, what, why }) => (
        <Text key={`${server} ${what}`} className="words">
          {tell('users.unreached')}: {server}: {what} – {why}
        </Text>
      ))}
    </Stack>
  );
}

function UserTable({ users }: { readonly users: readonly ListedUser[] }) {
  const { tell } = useTexts();
  const say = useViewTexts(userTexts);
  const { choose } = useUser();
  const { exporting, message } = useExport();
  const toMoment = useMoments();
  return (
    <>
      <Text role="status">{message}</Text>
      <Problem error={exporting.error} />
      <Listing heads={[tell('user'), say('records'), say('lastCall'), say('export')]}>
        {users.map(({ user_id: id, stores, last_call_at: last }) => (
          <Table.Tr key={id}>
            <Table.Th scope="row">
              <Anchor component="button" type="button" ta="start" className="words" onClick={() => choose(id)}>
                {id}
              </Anchor>
            </Table.Th>
            <Table.Td className="words">{toSizes(stores)}</Table.Td>
            <Table.Td className="moment">{toMoment(last)}</Table.Td>
            <Table.Td>
              <Button
                variant="default"
                disabled={exporting.isPending}
                aria-label={say('exportNamed', { user: id })}
                onClick={() => exporting.mutate(id)}
              >
                {say('export')}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Listing>
    </>
  );
}

const toSizes = (stores: ListedUser['stores']): string =>
  stores
    .map(({ server, counts }) => `${server}: ${counts.map(({ what, count }) => `${what} ${count}`).join(', ')}`)
    .join('\n');

function useExport() {
  const say = useViewTexts(userTexts);
  const { call } = useServer();
  const [message, setMessage] = useState('');
  const exporting = useMutation({
    mutationFn: async (user: string) => {
      if (!canExport()) throw new Error(say('insecure'));
      const { archive, unreached } = await exportUser(user, {
        readPage: (cursor) => call('export_user', { user_id: user, ...(cursor !== undefined && { cursor }) }),
        onServer: (server) => setMessage(say('exporting', { server })),
      });
      download(archive, `${user}.zip`);
      const what = unreached.map((one) => `${one.server}: ${one.what} – ${one.why}`).join('; ');
      setMessage(say('exported', { user, missed: what === '' ? say('whole') : say('missed', { what }) }));
    },
    onError: () => setMessage(''),
  });
  return { exporting, message };
}
