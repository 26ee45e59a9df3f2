import { ContextloomError, importLines, toPage, type UserCounts, type UserStore } from '@contextloom/contracts';
import { z } from 'zod';
import type { MemoryContext } from '../context.ts';
import type { MemoryStore } from '../store.ts';
import { cutDocument } from './archive.ts';
import { parseDocument } from './document.ts';
import { toDocument } from './export.ts';
import { importDocument } from './import.ts';

/** What the lines of an export are: documents that import_data takes too. */
export const LINES = { format: 'contextloom-personal-memory', version: 1 } as const;
const placeSchema = z.coerce.number().int().min(0);

/** How many records were exported before. @throws ContextloomError `invalid` */
function parsePlace(cursor: string | undefined): number {
  const place = placeSchema.safeParse(cursor ?? '0');
  if (place.success) return place.data;
  throw new ContextloomError('invalid', 'cursor must be the next_cursor of the page before', { field: 'cursor' });
}

/** What a server for one user says of the memories of others in its store, which a backup would leave out. */
function toUnreached(count: number) {
  if (count === 0) return {};
  const what = count === 1 ? 'the memory of 1 other user' : `the memories of ${count} other users`;
  return { unreached: [{ what, why: 'it serves one user only: start it with --multi-user' }] };
}

/** What a store of users works with. */
export interface UserStoreOptions extends Omit<MemoryContext, 'memory'> {
  readonly store: MemoryStore;
  /** The one user whom the server is for; every user without it. */
  readonly onlyUser?: string | undefined;
}

/** Builds what lists the users of a store, hands their memories out and takes them in, with the ids that are free. */
export function createUserStore({ store, onlyUser, ...common }: UserStoreOptions): UserStore {
  return {
    users: async ({ after = '', limit }) => {
      const all = await store.users();
      const served = all.filter((user) => (onlyUser ?? user) === user);
      const users: UserCounts[] = [];
      for (const user_id of served.filter((user) => user > after).slice(0, limit))
        users.push({ user_id, counts: await store.count(user_id) });
      const bytes = store.sizeOf();
      return { users, ...(bytes !== undefined && { bytes }), ...toUnreached(all.length - served.length) };
    },
    exportUser: (userId, cursor) =>
      store.use(userId, async (memory) => {
        const from = parsePlace(cursor);
        const document = await toDocument(memory, 'own');
        const { profile, history, entities, events } = document;
        const isEmpty = [profile, history, entities, events].every(({ length }) => length === 0);
        const records = isEmpty ? [] : [...cutDocument(document)];
        const placed = records.map((record, at) => ({ record, cursor: String(at + 1) })).slice(from);
        return { ...LINES, ...(await toPage(placed)), unreached: [] };
      }),
    importUser: (userId, lines) =>
      store.use(userId, (memory) =>
        importLines(lines, z.unknown(), async (record) => {
          const document = await parseDocument(record, 'record');
          const { imported } = await importDocument(document, { ...common, memory }, { keepsIds: true });
          return Object.values(imported).some((count) => count > 0);
        }),
      ),
    forget: (userId, isDryRun) => store.forget(userId, isDryRun),
    countWaiting: () => store.countWaiting(),
  };
}
