import { createHash } from 'node:crypto';
import type { MemoryEntry } from './answers.ts';

/** What callers were last told that entries say: whoever replaces one must not take away what a person wrote into it since. */
export interface Told {
  note(entries: readonly Pick<MemoryEntry, 'id' | 'content'>[]): void;
  /** Whether callers were told of another text; `false` where they were told of none. */
  isOther(id: string, content: string): boolean;
}

/** Entries that are remembered; those told longest ago go first. */
const MAX_ENTRIES = 20_000;

const toDigest = (content: string): string => createHash('sha256').update(content).digest('base64');

/** Builds the memory of what was told, of one process. */
export function createTold(): Told {
  const digests = new Map<string, string>();
  return {
    note: (entries) => {
      for (const { id, content } of entries) {
        digests.delete(id);
        digests.set(id, toDigest(content));
      }
      for (const id of digests.keys()) {
        if (digests.size <= MAX_ENTRIES) break;
        digests.delete(id);
      }
    },
    isOther: (id, content) => {
      const digest = digests.get(id);
      return digest !== undefined && digest !== toDigest(content);
    },
  };
}
