import type { Conversation } from '@contextloom/transcripts/transcript';
import { toHead } from '../memory-id.ts';

/** Works on several conversations at once, begun in order; those that may be one and the same, one after the other. */
export interface ConversationPool {
  /**
   * Begins the work as soon as fewer than so many are under way, and resolves then. Rejects when a work before failed: nothing
   * further is begun.
   * @param key what conversations share that must not be worked on side by side
   */
  readonly add: (key: string, work: () => Promise<void>) => Promise<void>;
  /** Resolves when all that was begun is done; rejects with the first failure. */
  readonly finish: () => Promise<void>;
}

/** Builds a pool. */
export function createConversationPool(concurrency: number): ConversationPool {
  const running = new Set<Promise<void>>();
  const last = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const throwFailure = (): void => {
    if (failures.length > 0) throw failures[0];
  };
  return {
    add: async (key, work) => {
      while (running.size >= concurrency) await Promise.race(running);
      throwFailure();
      const before = last.get(key) ?? Promise.resolve();
      const own = before
        .then(async () => {
          if (failures.length === 0) await work();
        })
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          running.delete(own);
          if (last.get(key) === own) last.delete(key);
        });
      running.add(own);
      last.set(key, own);
    },
    finish: async () => {
      await Promise.all(running);
      throwFailure();
    },
  };
}

/** What two conversations of a user share of which one may be a longer version, or a part, of the other. */
export function toConversationKey(userId: string, conversation: Conversation): string {
  return JSON.stringify([userId, conversation.id ?? toHead(conversation)]);
}
