import type { ClientCapabilities } from '@modelcontextprotocol/client';

/** Most kinds of clients of which something is kept: what a client says that it can do is up to it. */
const MAX_KINDS = 16;

/** What is made for each that clients can do. */
export interface ByAbility<T> {
  readonly of: (can: ClientCapabilities) => T;
  readonly all: () => Iterable<T>;
}

/** Keeps one for each that clients can do: servers may list by that, and a client of 2026-07-28 says it anew with each request. */
export function keepByAbility<T>(create: (can: ClientCapabilities) => T): ByAbility<T> {
  const kept = new Map<string, T>();
  return {
    of: (can) => {
      const key = JSON.stringify(can);
      const known = kept.get(key);
      const made = known ?? create(can);
      kept.delete(key);
      kept.set(key, made); // Last, since the first makes way.
      const [first] = kept.keys();
      if (kept.size > MAX_KINDS && first !== undefined) kept.delete(first);
      return made;
    },
    all: () => kept.values(),
  };
}
