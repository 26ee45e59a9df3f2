import { Alert } from '@mantine/core';
import { useTexts } from '../i18n/texts.tsx';

/** Tells that a call failed, in the server's words; nothing where none failed. */
export function Problem({ error }: { readonly error: Error | null | undefined }) {
  const { tell } = useTexts();
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" variant="outline" title={tell('failed')} role="alert">
      <span className="words">{error.message}</span>
    </Alert>
  );
}
