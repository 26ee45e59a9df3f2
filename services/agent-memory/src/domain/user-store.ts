import {
  ContextloomError,
  type Forgotten,
  importLines,
  type PlacedRecord,
  toPage,
  type Unreached,
  type UserStore,
} from '@contextloom/contracts';
import { z } from 'zod';
import type { AgentMemory } from './agent-memory.ts';
import { hasEntries } from './model/files.ts';

/** A memory, and whose it is. */
export interface OwnedMemory {
  readonly memory: AgentMemory;
  /** The user whose workspace it is; without one it is for every caller. */
  readonly userId?: string | undefined;
  /** Counts what the workspace has of its user, and erases it unless it is a dry run. */
  readonly forgetOwner?: ((isDryRun: boolean) => Promise<Forgotten>) | undefined;
}

/** What the lines of an export are: files with their names. */
export const LINES = { format: 'contextloom-agent-memory', version: 1 } as const;
const fileSchema = z.object({ file: z.string().max(200), text: z.string() });

/** Why a user's records cannot be distinguished from others' where the workspace names none. */
const NOBODY = 'the workspace names no user (AGENT_MEMORY_USER_ID): look through its files yourself';

/** What of a user cannot be distinguished from others' in a workspace that names none; nothing where there are no files. */
async function toNobodys(memory: AgentMemory): Promise<readonly Unreached[]> {
  const files = await memory.listFiles();
  return files.length === 0 ? [] : [{ what: 'what the files may say', why: NOBODY }];
}

async function* readFiles(memory: AgentMemory, after: string): AsyncGenerator<PlacedRecord> {
  for (const file of [...(await memory.listFiles())].sort().filter((path) => path > after)) {
    const text = await memory.readFile(file, 'owner');
    if (text !== undefined) yield { record: { file, text }, cursor: file };
  }
}

/** Builds the store of the one user whose workspace it is; the agent's own files are exported with the user's. */
export function createUserStore({ memory, userId: owner, forgetOwner }: OwnedMemory): UserStore {
  return {
    users: async ({ after = '' }) => {
      if (owner === undefined) return { users: [], unreached: await toNobodys(memory) };
      if (owner <= after) return { users: [] };
      const files = await memory.listFiles();
      const counts = [
        { what: 'files', count: files.length },
        { what: 'files with entries', count: files.filter(hasEntries).length },
      ];
      return { users: [{ user_id: owner, counts }] };
    },
    exportUser: async (userId, cursor = '') => {
      if (owner === userId) return { ...LINES, ...(await toPage(readFiles(memory, cursor))), unreached: [] };
      return { ...LINES, lines: '', unreached: owner === undefined ? await toNobodys(memory) : [] };
    },
    importUser: async (userId, lines) => {
      if (owner !== userId) {
        const message = 'the workspace is not of this user: set AGENT_MEMORY_USER_ID to the user whose it is';
        throw new ContextloomError('conflict', message, { field: 'user_id' });
      }
      return importLines(lines, fileSchema, async ({ file, text }) => {
        const outcome = await memory.importFile(file, text);
        if (outcome !== 'other') return outcome === 'written';
        throw new ContextloomError('conflict', `${file} exists with another text, which stays`, { field: 'file' });
      });
    },
    // Of whom it is not known whose the workspace is, nothing is erased.
    forget: async (userId, isDryRun) => {
      if (owner === undefined) return { erased: [], unreached: await toNobodys(memory) };
      if (owner !== userId || forgetOwner === undefined) return { erased: [], unreached: [] };
      return forgetOwner(isDryRun);
    },
    countWaiting: () => memory.countWaiting(),
  };
}
