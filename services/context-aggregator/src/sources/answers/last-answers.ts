import type { Principal } from '@contextloom/access';
import { LRUCache } from 'lru-cache';

/** The last good answers of sources to callers of the same reach, each with its age in milliseconds. */
export interface LastAnswers {
  readonly keep: (key: string, value: unknown) => void;
  /** The answer for a key, when it is no older than `maxAgeMs`. */
  readonly find: (key: string, maxAgeMs: number) => { readonly value: unknown; readonly ageMs: number } | undefined;
}

/** Most answers that are kept: one for each call with other arguments, or of another reach. */
const MAX_ANSWERS = 1_000;

/** The last good answers to all callers. */
export interface AllLastAnswers {
  readonly of: (principal: Principal) => LastAnswers;
  /** Forgets them all: an answer does not tell whom it is about. */
  readonly clear: () => void;
}

/** Keeps the last good answers in the memory of this process; the oldest go first. */
export function createLastAnswers(clock: () => Date): AllLastAnswers {
  const answers = new LRUCache<string, { readonly value: unknown; readonly at: number }>({ max: MAX_ANSWERS });
  const of = ({ users, projects, scopes }: Principal): LastAnswers => {
    // A server answers with what the caller may see: no other caller gets that answer later.
    const toKey = (key: string): string => JSON.stringify([users, projects, scopes, key]);
    return {
      keep: (key, value) => {
        answers.set(toKey(key), { value, at: clock().getTime() });
      },
      find: (key, maxAgeMs) => {
        const found = answers.peek(toKey(key));
        const ageMs = found === undefined ? 0 : clock().getTime() - found.at;
        return found === undefined || ageMs > maxAgeMs ? undefined : { value: found.value, ageMs };
      },
    };
  };
  return { of, clear: () => answers.clear() };
}
