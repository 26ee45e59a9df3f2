/** What `{{user}}` and `{{char}}` stand for. */
export interface Names {
  readonly user: string;
  readonly char: string;
}

const placeholder = /\{\{[^\S\r\n]*(user|char)[^\S\r\n]*\}\}/gi;

/**
 * Replaces every `{{user}}` and `{{char}}` by the names; case and inner spaces do not matter. Names are literal: `$&`
 * means nothing in them, and a placeholder inside a name is not filled again.
 */
export function fillPlaceholders(text: string, names: Names): string {
  return text.replace(placeholder, (_match, which: string) =>
    which.toLowerCase() === 'user' ? names.user : names.char,
  );
}
