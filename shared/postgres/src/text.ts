/** Stands before 0 for U+0000, which no text of Postgres may have, and before 1 for itself; texts keep their order. */
const MARK = '\u0001';

const isHalf = /\p{Surrogate}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what Postgres does not take
const REPLACED = /[\u0000\u0001]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what the above became
const RESTORED = /\u0001([01])/g;

/** Any text as Postgres takes it. */
export function toPostgresText(text: string): string {
  // Halves of characters become U+FFFD, as in UTF-8.
  const whole = isHalf.test(text) ? Buffer.from(text).toString() : text;
  return whole.replace(REPLACED, (character) => `${MARK}${character === MARK ? 1 : 0}`);
}

/** The text that {@link toPostgresText} was given. */
export function fromPostgresText(text: string): string {
  return text.includes(MARK) ? text.replace(RESTORED, (_, which) => (which === '1' ? MARK : '\u0000')) : text;
}
