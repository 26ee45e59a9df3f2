import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Answer } from '../calls/operations.ts';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { Problem } from '../shell/problem.tsx';
import { MEMORIES } from './use-memories.ts';

/** How long what was stored can be taken back, in milliseconds. */
const UNDO_MS = 60_000;

/** Stores one sentence where it fits, and says where that is. */
export function AddMemory() {
  const { tell } = useTexts();
  const { call } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const adding = useMutation({
    mutationFn: () => call('remember', { user_id: user, text }),
    onSuccess: () => {
      setText('');
      return client.invalidateQueries({ queryKey: [MEMORIES] });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') adding.mutate();
      }}
    >
      <Stack gap="xs">
        <Group align="end">
          <TextInput
            className="wide-field"
            label={tell('memories.add')}
            placeholder={tell('memories.addLabel')}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={adding.isPending}>
            {tell('save')}
          </Button>
        </Group>
        {adding.data !== undefined && <Added key={adding.data.id} added={adding.data} onUndone={adding.reset} />}
        <Problem error={adding.error} />
      </Stack>
    </form>
  );
}

interface AddedProps {
  readonly added: Answer<'remember'>;
  readonly onUndone: () => void;
}

/** Says what was stored, and takes it back for a minute. */
function Added({ added: { id, kind }, onUndone }: AddedProps) {
  const { tell } = useTexts();
  const { call } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  // A line of the profile may have taken the place of another, which to forget it would not bring back.
  const [canUndo, setCanUndo] = useState(kind !== 'fact');
  useEffect(() => {
    const timer = setTimeout(() => setCanUndo(false), UNDO_MS);
    return () => clearTimeout(timer);
  }, []);
  const undoing = useMutation({
    mutationFn: () => call('forget', { user_id: user, id }),
    onSuccess: () => {
      onUndone();
      return client.invalidateQueries({ queryKey: [MEMORIES] });
    },
  });
  return (
    <>
      <Group gap="xs">
        <Text size="sm" role="status" className="words">
          {tell('memories.added', { kind: tell(`kind.${kind}`) })}
        </Text>
        {canUndo && (
          <Button size="compact-sm" variant="default" loading={undoing.isPending} onClick={() => undoing.mutate()}>
            {tell('undo')}
          </Button>
        )}
      </Group>
      <Problem error={undoing.error} />
    </>
  );
}
