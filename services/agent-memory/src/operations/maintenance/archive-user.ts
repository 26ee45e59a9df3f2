import { ContextloomError, importLines, type PlacedRecord, toPage } from '@contextloom/contracts';
import { defineExportUser, defineImportUser, defineListUsers } from '@contextloom/server-kit';
import { z } from 'zod';
import type { AgentMemory } from '../../domain/agent-memory.ts';
import { hasEntries } from '../../domain/model/files.ts';
import { type AgentMemoryDeps, toNobodys } from '../deps.ts';

const LINES = { format: 'contextloom-agent-memory', version: 1 } as const;
const fileSchema = z.object({ file: z.string().max(200), text: z.string() });

/** Lists the user whose workspace it is. */
export const listUsers = defineListUsers<AgentMemoryDeps>({
  list: async ({ after = '' }, { deps: { owner, memoryFor }, principal }) => {
    const { user_id } = owner;
    const memory = memoryFor(principal);
    if (user_id === undefined) return { users: [], unreached: await toNobodys(memory) };
    if (user_id <= after) return { users: [] };
    const files = await memory.listFiles();
    const logs = files.filter(hasEntries).length;
    const counts = [
      { what: 'files', count: files.length },
      { what: 'files with entries', count: logs },
    ];
    return { users: [{ user_id, counts }] };
  },
});

async function* readFiles(memory: AgentMemory, after: string): AsyncGenerator<PlacedRecord> {
  for (const file of [...(await memory.listFiles())].sort().filter((path) => path > after)) {
    const text = await memory.readFile(file, 'owner');
    if (text !== undefined) yield { record: { file, text }, cursor: file };
  }
}

/** Hands out the files of the user whose workspace it is, the agent's own with them. */
export const exportUser = defineExportUser<AgentMemoryDeps>({
  scope: 'none',
  exports: 'the files of the workspace, where it is the user who owns it,',
  export: async ({ userId, cursor = '' }, { deps: { owner, memoryFor }, principal }) => {
    const memory = memoryFor(principal);
    const nothing = { ...LINES, lines: '', unreached: [] };
    if (owner.user_id === undefined) return { ...nothing, unreached: await toNobodys(memory) };
    if (owner.user_id !== userId) return nothing;
    return { ...LINES, ...(await toPage(readFiles(memory, cursor))), unreached: [] };
  },
});

/** Takes in files of the user whose workspace it is; one that is there already stays. */
export const importUser = defineImportUser<AgentMemoryDeps>({
  ...LINES,
  scope: 'none',
  import: async ({ userId, lines }, { deps: { owner, memoryFor }, principal }) => {
    const memory = memoryFor(principal);
    if (owner.user_id !== userId) {
      const message = 'the workspace is not of this user: set AGENT_MEMORY_USER_ID to the user whose it is';
      throw new ContextloomError('conflict', message, { field: 'user_id' });
    }
    return importLines(lines, fileSchema, async ({ file, text }) => {
      const outcome = await memory.importFile(file, text);
      if (outcome !== 'other') return outcome === 'written';
      throw new ContextloomError('conflict', `${file} exists with another text, which stays`, { field: 'file' });
    });
  },
});
