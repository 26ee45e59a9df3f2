/** What part of a list a call asks for. */
export interface AskedPage {
  readonly limit: number;
  /** How many are passed over first. */
  readonly offset: number;
}

/** A part of a list. */
export interface Listed<T> {
  readonly items: readonly T[];
  /** The offset of what comes after; undefined at the end. */
  readonly next: number | undefined;
}

/** Makes the page of a list that has one item more than asked for where there are more. */
export function toListed<T>(items: readonly T[], { limit, offset }: AskedPage): Listed<T> {
  return { items: items.slice(0, limit), next: items.length > limit ? offset + limit : undefined };
}
