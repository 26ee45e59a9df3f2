import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';

/** Copies a text, and says so. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { tell } = useTexts();
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <Button variant="default" onClick={copy} onBlur={() => setCopied(false)} aria-live="polite">
      {isCopied ? tell('copied') : label}
    </Button>
  );
}
