import { createHash } from 'node:crypto';
import type { MemoryEntry } from '@contextloom/contracts/agent-memory';
import { LRUCache } from 'lru-cache';

/** The text of each entry as callers last read it: a caller that replaces one must not take away what a person wrote since. */
export interface SeenTexts {
  note(entries: readonly Pick<MemoryEntry, 'id' | 'content'>[]): void;
  /** Whether callers last read another text; `false` where they read none. */
  hasChanged(id: string, content: string): boolean;
}

/** Entries that are remembered. */
const MAX_ENTRIES = 20_000;

const toDigest = (content: string): string => createHash('sha256').update(content).digest('base64');

/** Builds the memory of what callers read, of one process. */
export function createSeenTexts(): SeenTexts {
  const digests = new LRUCache<string, string>({ max: MAX_ENTRIES });
  return {
    note: (entries) => {
      for (const { id, content } of entries) digests.set(id, toDigest(content));
    },
    hasChanged: (id, content) => {
      const digest = digests.get(id);
      return digest !== undefined && digest !== toDigest(content);
    },
  };
}
