import { Readable } from 'node:stream';
import { ContextloomError, type Unreached } from '@contextloom/contracts';
import { defineExportUser, defineImportUser, defineListUsers } from '@contextloom/server-kit';
import { z } from 'zod';
import type { ProjectMemory } from '../domain/project-memory.ts';
import { FORMAT } from '../domain/transfer/lines.ts';
import { toTransferPage } from '../domain/transfer/pages.ts';
import { openFor, type ProjectMemoryDeps } from './deps.ts';

const LINES = { format: FORMAT, version: 1 } as const;
const HEADER = `${JSON.stringify({ kind: 'header', ...LINES })}\n`;
const placeSchema = z.coerce.number().int().min(0);

/** Memories that a server for another owner would leave out without a word. */
async function findOthers(memory: ProjectMemory): Promise<{ readonly unreached?: readonly Unreached[] }> {
  const { memories, owners } = await memory.others();
  if (memories === 0) return {};
  const whose = owners === 1 ? 'another owner' : `${owners} other owners`;
  const why = 'it serves the owner that OWNER_ID names: run it once more with each of theirs';
  return { unreached: [{ what: `memories of projects of ${whose}: ${memories}`, why }] };
}

/** What to say where a user owns memories that this server does not serve; nothing where there are none. */
export async function findOwnedElsewhere(memory: ProjectMemory, userId: string): Promise<readonly Unreached[]> {
  if (!(await memory.hasOwner(userId))) return [];
  const why = 'they are of this user, and it serves another owner: run it with OWNER_ID set to the user';
  return [{ what: 'memories of projects of the user', why }];
}

/** Lists the owner of the memories, where there are any. */
export const listUsers = defineListUsers<ProjectMemoryDeps>({
  path: '/list_users',
  list: async ({ after = '' }, context) => {
    const { ownerId } = context.deps;
    const memory = await openFor({}, context);
    const { erased } = await memory.forgetOwner(true);
    const counts = erased.filter(({ count }) => count > 0);
    const users = counts.length === 0 || ownerId <= after ? [] : [{ user_id: ownerId, counts }];
    return { users, ...(await findOthers(memory)) };
  },
});

/** Hands out the memories of their owner; no other user has any. */
export const exportUser = defineExportUser<ProjectMemoryDeps>({
  scope: 'none',
  path: '/export_user',
  exports: 'all memories with versions, decisions and links, where the user is their owner (OWNER_ID),',
  export: async ({ userId, cursor = '0' }, context) => {
    const memory = await openFor({}, context);
    const from = placeSchema.safeParse(cursor);
    if (!from.success) {
      throw new ContextloomError('invalid', 'cursor must be the next_cursor of the page before', { field: 'cursor' });
    }
    if (userId !== context.deps.ownerId) {
      return { ...LINES, lines: '', unreached: [...(await findOwnedElsewhere(memory, userId))] };
    }
    const { lines, next } = await toTransferPage(memory.exportText({}), from.data);
    return { ...LINES, lines, ...(next !== undefined && { next_cursor: String(next) }), unreached: [] };
  },
});

/** Takes in memories of their owner, with the same ids; vectors are made after that. */
export const importUser = defineImportUser<ProjectMemoryDeps>({
  ...LINES,
  scope: 'none',
  path: '/import_user',
  import: async ({ userId, lines }, context) => {
    const memory = await openFor({}, context);
    if (userId !== context.deps.ownerId) {
      // An archive of many owners goes on: what is of others here is named, record by record as any other refusal.
      const problem = 'it is of another owner than this server: set OWNER_ID to the user, and import again';
      const refused = lines.map((_, at) => ({ record: `line ${at + 1}`, problem }));
      return { imported: 0, known: 0, refused: refused.slice(0, 1), refused_count: refused.length };
    }
    const report = await memory.importText(Readable.from([Buffer.from(`${HEADER}${lines.join('\n')}\n`)]));
    return {
      imported: Object.values(report.imported).reduce((sum, count) => sum + count, 0),
      known: report.unchanged,
      // The header is line 1.
      refused: report.refused.map(({ line, problem }) => ({ record: `line ${line - 1}`, problem })),
      refused_count: report.refused_count,
    };
  },
});
