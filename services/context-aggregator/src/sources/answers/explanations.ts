import { createHmac } from 'node:crypto';
import type { ExplainPromptResponse } from '@contextloom/contracts';
import { LRUCache } from 'lru-cache';

/** What is known of a prompt that was built: whose it is, and how it came about. */
export interface Explained {
  readonly userId: string;
  readonly explanation: ExplainPromptResponse;
}

/** The explanations of the prompts that were built last for one caller, by their hashes. */
export interface Explanations {
  /** The hash of a user's prompt; without the key it cannot be computed from the text. */
  readonly toHash: (userId: string, prompt: string | readonly string[]) => string;
  readonly keep: (explained: Explained) => void;
  readonly find: (hash: string) => Explained | undefined;
}

/** The explanations of all callers. */
export interface AllExplanations {
  readonly of: (caller: string) => Explanations;
  /** Forgets those of a user's prompts. */
  readonly forget: (userId: string) => void;
}

/** Most prompts of all callers that can be explained afterwards. */
const MAX_EXPLANATIONS = 500;

/**
 * Keeps explanations in the memory of this process, each for the caller whose prompt it was.
 * @param key what hashes are made with: a secret of this process
 */
export function createExplanations(key: Uint8Array): AllExplanations {
  const kept = new LRUCache<string, Explained>({ max: MAX_EXPLANATIONS });
  const of = (caller: string): Explanations => {
    const toKey = (hash: string): string => JSON.stringify([caller, hash]);
    return {
      toHash: (userId, prompt) =>
        createHmac('sha256', key)
          .update(JSON.stringify([userId, prompt]))
          .digest('hex'),
      keep: (explained) => {
        kept.set(toKey(explained.explanation.hash), explained);
      },
      find: (hash) => kept.peek(toKey(hash)),
    };
  };
  return {
    of,
    forget: (userId) => {
      for (const [key, explained] of kept.entries()) if (explained.userId === userId) kept.delete(key);
    },
  };
}
