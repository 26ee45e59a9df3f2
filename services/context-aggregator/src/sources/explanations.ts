import { createHmac } from 'node:crypto';
import type { ExplainPromptResponse } from '@contextloom/contracts';

/** What is known of a prompt that was built: whose it is, and how it came about. */
export interface Explained {
  readonly userId: string;
  readonly explanation: ExplainPromptResponse;
}

/** The explanations of the prompts that were built last, by their hashes. */
export interface Explanations {
  /** Names the prompt of a user: nobody who knows the text but not the key can work it out. */
  readonly toHash: (userId: string, prompt: string) => string;
  readonly keep: (explained: Explained) => void;
  readonly find: (hash: string) => Explained | undefined;
}

/** Most prompts that can be explained afterwards. */
const MOST = 500;

/**
 * Keeps explanations in the memory of this process.
 * @param key what hashes are made with: a secret of this process
 */
export function createExplanations(key: Uint8Array): Explanations {
  const kept = new Map<string, Explained>();
  return {
    toHash: (userId, prompt) =>
      createHmac('sha256', key)
        .update(JSON.stringify([userId, prompt]))
        .digest('hex'),
    keep: (explained) => {
      const { hash } = explained.explanation;
      kept.delete(hash);
      kept.set(hash, explained);
      const [oldest] = kept.keys();
      if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    },
    find: (hash) => kept.get(hash),
  };
}
