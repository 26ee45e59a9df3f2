import { Readable } from 'node:stream';
import { ContextloomError } from '@contextloom/contracts';
import { defineExportUser, defineImportUser, defineListUsers } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { FORMAT } from '../domain/transfer/lines.ts';
import { toTransferPage } from '../domain/transfer/pages.ts';
import { openFor, type ProjectMemoryDeps } from './deps.ts';

const LINES = { format: FORMAT, version: 1 } as const;
const HEADER = `${JSON.stringify({ kind: 'header', ...LINES })}\n`;
const placeSchema = z.coerce.number().int().min(0);

/** Lists the owner of the memories, where there are any. */
export const listUsers = defineListUsers<ProjectMemoryDeps>({
  path: '/list_users',
  list: async ({ after = '' }, context) => {
    const { ownerId } = context.deps;
    const { erased } = await (await openFor({}, context)).forgetOwner(true);
    const counts = erased.filter(({ count }) => count > 0);
    return { users: counts.length === 0 || ownerId <= after ? [] : [{ user_id: ownerId, counts }] };
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
    if (userId !== context.deps.ownerId) return { ...LINES, lines: '', unreached: [] };
    const { lines, next } = await toTransferPage(memory.exportText({}), from.data);
    return { ...LINES, lines, ...(next !== undefined && { next_cursor: String(next) }), unreached: [] };
  },
});

/** Takes in memories of their owner, with the same ids; vectors are made after that. */
export const importUser = defineImportUser<ProjectMemoryDeps>({
  ...{ ...LINES, scope: 'none', path: '/import_user' },
  import: async ({ userId, lines }, context) => {
    const memory = await openFor({}, context);
    if (userId !== context.deps.ownerId) {
      const message = 'the memories here are of another owner: set OWNER_ID to the user whose they are';
      throw new ContextloomError('conflict', message, { field: 'user_id' });
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
