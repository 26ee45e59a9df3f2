import { Alert, Button, Stack } from '@mantine/core';
import { CallError } from '../calls/call-tool.ts';
import { useTexts } from '../i18n/texts.tsx';

interface ProblemProps {
  readonly error: Error | null | undefined;
  /** Tries again; there is no button without it. */
  readonly onRetry?: (() => void) | undefined;
}

/** Tells that a call failed, in the server's words, or that no server answers; nothing where none failed. */
export function Problem({ error, onRetry }: ProblemProps) {
  const { tell } = useTexts();
  if (error === null || error === undefined) return null;
  const isAway = error instanceof CallError && error.code === 'unreachable';
  return (
    <Alert color="red" variant="outline" title={tell('failed')} role="alert">
      <Stack align="start" gap="xs">
        <span className="words">{isAway ? tell('unreachable') : error.message}</span>
        {onRetry !== undefined && (
          <Button variant="default" onClick={onRetry}>
            {tell('again')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
