import { Button, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { CallError } from '../calls/call-tool.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Appearance } from './appearance.tsx';
import { Problem } from './problem.tsx';

/** What is shown to a caller whom the server does not know. */
export function SignIn({
  problem,
  onSignIn,
}: {
  readonly problem: CallError;
  readonly onSignIn: (key: string) => void;
}) {
  const { tell } = useTexts();
  const [key, setKey] = useState('');
  return (
    <main>
      <Paper m="xl" p="md" withBorder>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onSignIn(key.trim());
          }}
        >
          <Stack>
            <Title order={1} size="h3">
              {tell('key.title')}
            </Title>
            <Text>{tell('key.text')}</Text>
            {problem.code !== 'unauthorized' && <Problem error={problem} />}
            <PasswordInput
              label={tell('key.label')}
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              required
            />
            <Button type="submit">{tell('key.open')}</Button>
            <Appearance />
          </Stack>
        </form>
      </Paper>
    </main>
  );
}
