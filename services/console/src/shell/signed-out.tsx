import { Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { Appearance } from './appearance.tsx';
import { Problem } from './problem.tsx';

/** What is shown to a caller whom the server does not know. */
export function SignIn({ onSignIn }: { readonly onSignIn: (key: string) => void }) {
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

interface AwayProps {
  readonly problem: Error;
  readonly onRetry: () => void;
  /** Drops the key; there is no button without it. */
  readonly onSignOut: (() => void) | undefined;
}

/** What is shown where the server does not say who the caller is: why, and the ways on. */
export function Away({ problem, onRetry, onSignOut }: AwayProps) {
  const { tell } = useTexts();
  return (
    <main>
      <Stack m="xl">
        <Title order={1} size="h3">
          Contextloom
        </Title>
        <Problem error={problem} onRetry={onRetry} />
        <Group>
          <Appearance />
          {onSignOut !== undefined && (
            <Button variant="default" onClick={onSignOut}>
              {tell('signOut')}
            </Button>
          )}
        </Group>
      </Stack>
    </main>
  );
}
