import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { Problem } from '../shell/problem.tsx';
import { MEMORIES } from './use-memories.ts';

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
        {adding.data !== undefined && (
          <Text size="sm" role="status" className="words">
            {tell('memories.added', { kind: tell(`kind.${adding.data.kind}`) })}
          </Text>
        )}
        <Problem error={adding.error} />
      </Stack>
    </form>
  );
}
