import { Button, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answer } from '../calls/operations.ts';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { Imports } from '../imports/imports.tsx';
import { MEMORIES } from '../memories/use-memories.ts';
import { Problem } from '../shell/problem.tsx';

/** The page of the conversations: one is previewed, stored, and taken back. */
export default function Conversations() {
  const { tell } = useTexts();
  const { call } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const refresh = () => client.invalidateQueries({ queryKey: [MEMORIES] });
  const storing = useMutation({
    mutationFn: (isDryRun: boolean) =>
      call('store_conversation_memory', {
        user_id: user,
        conversation_history: text,
        dry_run: isDryRun,
      }),
    onSuccess: refresh,
  });
  const undoing = useMutation({
    mutationFn: (ids: readonly string[]) =>
      Promise.all(ids.map((id) => call('forget', { user_id: user, id: `note:${id}` }))),
    onSuccess: () => {
      storing.reset();
      return refresh();
    },
  });
  const saved = (storing.data?.saved_memories ?? []).flatMap(({ id }) => (id === undefined ? [] : [id]));
  return (
    <Stack align="stretch">
      <Title order={1} size="h3">
        {tell('page.conversations')}
      </Title>
      <Textarea
        label={tell('conversations.text')}
        description={tell('conversations.hint')}
        classNames={{ input: 'words' }}
        rows={10}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Group>
        <Button variant="default" disabled={text.trim() === ''} onClick={() => storing.mutate(true)}>
          {tell('conversations.preview')}
        </Button>
        <Button disabled={text.trim() === ''} onClick={() => storing.mutate(false)} loading={storing.isPending}>
          {tell('conversations.store')}
        </Button>
      </Group>
      <Problem error={storing.error ?? undoing.error} />
      {undoing.isSuccess && storing.data === undefined && <Text role="status">{tell('conversations.taken')}</Text>}
      {storing.data !== undefined && <Stored answer={storing.data} />}
      {saved.length > 0 && (
        <Button color="red" variant="outline" onClick={() => undoing.mutate(saved)} loading={undoing.isPending}>
          {tell('undo')}
        </Button>
      )}
      <Imports />
    </Stack>
  );
}

function Stored({ answer }: { readonly answer: Answer<'store_conversation_memory'> }) {
  const { tell } = useTexts();
  return (
    <Stack gap="xs" role="status">
      <Text className="words">{answer.message}</Text>
      {answer.memories_saved > 0 && (
        <Text fw={600}>{tell('conversations.saved', { count: answer.memories_saved })}</Text>
      )}
      {answer.saved_memories.map(({ id, content }) => (
        <Text key={id ?? content} className="words clip">
          {content}
        </Text>
      ))}
    </Stack>
  );
}
