import type { ReactNode } from 'react';

/** From here on a screen has room for what else could be done. */
const WIDE = '(min-width: 48em)';

/** What is open on a screen, and behind one line on a phone. */
export function Disclosure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <details open={matchMedia(WIDE).matches || undefined}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}
