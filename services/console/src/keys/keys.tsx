import { Alert, Badge, Button, Group, Loader, Modal, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answer } from '../calls/operations.ts';
import { useServer } from '../calls/session.tsx';
import { useMoments } from '../i18n/dates.ts';
import { useTexts } from '../i18n/texts.tsx';
import { useViewTexts } from '../i18n/view-texts.ts';
import { Listing } from '../shell/listing.tsx';
import { Problem } from '../shell/problem.tsx';
import { AddKey } from './add-key.tsx';
import { keyTexts } from './texts.ts';

/** A key as the server lists it. */
type ListedKey = Answer<'list_keys'>['keys'][number];

const KEYS = ['keys'];

/** The page of the keys: who may call over HTTP. */
export default function Keys() {
  const { tell } = useTexts();
  const say = useViewTexts(keyTexts);
  const { call, session } = useServer();
  const client = useQueryClient();
  const { users, projects, scopes } = session;
  const isAllowed = scopes.includes('admin') && users === 'all' && projects === 'all';
  const result = useQuery({
    queryKey: KEYS,
    queryFn: ({ signal }) => call('list_keys', {}, { signal }),
    enabled: isAllowed,
  });
  if (!isAllowed) return <Alert title={say('admin')} />;
  const list = result.data;
  return (
    <Stack>
      <Title order={1} size="h3">
        {tell('page.keys')}
      </Title>
      <Text>{say('intro')}</Text>
      <Problem error={result.error} />
      {result.isPending && <Loader aria-label={tell('wait')} />}
      {list !== undefined && list.keys.length === 0 && (
        <Alert title={say('none')}>{!list.asked && say('noneText')}</Alert>
      )}
      {list !== undefined && list.keys.length > 0 && <KeyTable keys={list.keys} />}
      {list !== undefined && (
        <AddKey
          isFirst={!list.asked}
          onMade={() => session.asked && void client.invalidateQueries({ queryKey: KEYS })}
        />
      )}
    </Stack>
  );
}

function KeyTable({ keys }: { readonly keys: readonly ListedKey[] }) {
  const say = useViewTexts(keyTexts);
  const toMoment = useMoments();
  const [revoked, setRevoked] = useState<string>();
  const toText = (reach: 'all' | readonly string[]): string => (reach === 'all' ? say('all') : reach.join(', ') || '–');
  return (
    <>
      <Listing heads={[say('name'), say('users'), say('scopes'), say('created'), say('expires'), say('revoke')]}>
        {keys.map((key) => (
          <Table.Tr key={key.name}>
            <Table.Th scope="row">{key.name}</Table.Th>
            <Table.Td className="words">{toText(key.users)}</Table.Td>
            <Table.Td>{key.scopes.join(', ')}</Table.Td>
            <Table.Td className="moment">{toMoment(key.created_at)}</Table.Td>
            <Table.Td>
              {key.expires_at === undefined ? say('never') : toMoment(key.expires_at)}{' '}
              {key.is_expired && <Badge variant="default">{say('expired')}</Badge>}
            </Table.Td>
            <Table.Td>
              <Button
                color="red"
                variant="outline"
                aria-label={say('revokeNamed', { name: key.name })}
                onClick={() => setRevoked(key.name)}
              >
                {say('revoke')}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Listing>
      <Revocation name={revoked} onClose={() => setRevoked(undefined)} />
    </>
  );
}

function Revocation({ name, onClose }: { readonly name: string | undefined; readonly onClose: () => void }) {
  const { tell } = useTexts();
  const say = useViewTexts(keyTexts);
  const { call, session, signOut } = useServer();
  const client = useQueryClient();
  const revoking = useMutation({
    mutationFn: (one: string) => call('revoke_key', { name: one }),
    onSuccess: (_answer, one) => {
      onClose();
      // With the reader's own key gone, the page asks for another.
      if (session.name === `key ${one}`) signOut();
      else return client.invalidateQueries({ queryKey: KEYS });
    },
  });
  return (
    <Modal
      opened={name !== undefined}
      onClose={onClose}
      title={say('revoke')}
      closeButtonProps={{ 'aria-label': tell('close') }}
    >
      <Stack>
        <Text className="words">{say('sure', { name: name ?? '' })}</Text>
        <Problem error={revoking.error} />
        <Group>
          <Button color="red" loading={revoking.isPending} onClick={() => name !== undefined && revoking.mutate(name)}>
            {say('revoke')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {tell('cancel')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
