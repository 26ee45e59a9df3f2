import { Button, Group, Stack, Title } from '@mantine/core';
import { useTexts } from '../i18n/texts.tsx';
import { Appearance } from './appearance.tsx';
import { Problem } from './problem.tsx';

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
