import { ContextloomError, PAGE_LENGTH, type Unreached, type UserStore } from '@contextloom/contracts';
import { z } from 'zod';
import type { ProjectMemory } from '../project-memory.ts';
import { FORMAT } from './lines.ts';

/** Some units of an export; `next` is the number of units before those that follow. */
interface TransferPage {
  readonly lines: string;
  readonly next?: number;
}

/** Joins the versions of a memory and the memory, which are imported at once; header and end are left out. */
async function* toUnits(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = '';
  for await (const line of lines) {
    const { kind }: { readonly kind: string } = JSON.parse(line);
    if (kind === 'header' || kind === 'end') continue;
    waiting += line;
    if (kind === 'version') continue;
    yield waiting;
    waiting = '';
  }
}

/**
 * Cuts a page out of an export that is read again from its beginning. Memories and verdicts are never taken away: what comes in
 * meanwhile may stand in two pages, which an import does not mind.
 */
async function toTransferPage(lines: AsyncIterable<string>, from: number): Promise<TransferPage> {
  let page = '';
  let number = 0;
  for await (const unit of toUnits(lines)) {
    if (number >= from) {
      if (page.length >= PAGE_LENGTH) return { lines: page, next: number };
      page += unit;
    }
    number += 1;
  }
  return { lines: page };
}

/** What the lines of an export are. */
export const LINES = { format: FORMAT, version: 1 } as const;
const HEADER = `${JSON.stringify({ kind: 'header', ...LINES })}\n`;
const placeSchema = z.coerce.number().int().min(0);

/** The lines as the file of an export. */
async function* toBytes(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(`${HEADER}${lines.join('\n')}\n`);
}

/** Memories that a server for another owner would leave out without a word. */
async function findOthers(memory: ProjectMemory): Promise<{ readonly unreached?: readonly Unreached[] }> {
  const { memories, owners } = await memory.others();
  if (memories === 0) return {};
  const whose = owners === 1 ? 'another owner' : `${owners} other owners`;
  const why = 'it serves the owner that OWNER_ID names: run it once more with each of theirs';
  return { unreached: [{ what: `memories of projects of ${whose}: ${memories}`, why }] };
}

/** What to say where a user owns memories that this server does not serve; nothing where there are none. */
async function findOwnedElsewhere(memory: ProjectMemory, userId: string): Promise<readonly Unreached[]> {
  if (!(await memory.hasOwner(userId))) return [];
  const why = 'they are of this user, and it serves another owner: run it with OWNER_ID set to the user';
  return [{ what: 'memories of projects of the user', why }];
}

/** A memory has no author: what a text says of a person, people have to find. */
async function findNobodys(memory: ProjectMemory, userId: string): Promise<readonly Unreached[]> {
  const owned = await findOwnedElsewhere(memory, userId);
  const { erased } = await memory.forgetOwner(true);
  if (erased.every(({ count }) => count === 0)) return owned;
  const why =
    'they belong to the owner of the server (OWNER_ID) and name no author: search them for the person, and delete or correct those that tell of them';
  return [...owned, { what: 'memories of projects', why }];
}

/** Whose memories a server has. */
export interface UserStoreOptions {
  readonly ownerId: string;
  /** Opens the memory as a caller reaches it. */
  readonly open: () => Promise<ProjectMemory>;
  /** Whether the embedder is a part of this program: it leaves nothing waiting, and no database is opened to say so. */
  readonly isEmbedderLocal: boolean;
}

/** Builds the store of the one owner of all memories; no other user has any. Vectors of what is taken in are made after that. */
export function createUserStore({ ownerId, open, isEmbedderLocal }: UserStoreOptions): UserStore {
  return {
    users: async ({ after = '' }) => {
      const memory = await open();
      const { erased } = await memory.forgetOwner(true);
      const counts = erased.filter(({ count }) => count > 0);
      const users = counts.length === 0 || ownerId <= after ? [] : [{ user_id: ownerId, counts }];
      return { users, ...(await findOthers(memory)) };
    },
    exportUser: async (userId, cursor = '0') => {
      const memory = await open();
      const from = placeSchema.safeParse(cursor);
      if (!from.success) {
        throw new ContextloomError('invalid', 'cursor must be the next_cursor of the page before', { field: 'cursor' });
      }
      if (userId !== ownerId) return { ...LINES, lines: '', unreached: await findOwnedElsewhere(memory, userId) };
      const { lines, next } = await toTransferPage(memory.exportText({}), from.data);
      return { ...LINES, lines, ...(next !== undefined && { next_cursor: String(next) }), unreached: [] };
    },
    importUser: async (userId, lines) => {
      const memory = await open();
      if (userId !== ownerId) {
        // An archive of many owners goes on: what is of others here is named, record by record as any other refusal.
        const problem = 'it is of another owner than this server: set OWNER_ID to the user, and import again';
        const refused = lines.slice(0, 1).map(() => ({ record: 'line 1', problem }));
        return { imported: 0, known: 0, refused, refused_count: lines.length };
      }
      const report = await memory.importText(toBytes(lines));
      return {
        imported: Object.values(report.imported).reduce((sum, count) => sum + count, 0),
        known: report.unchanged,
        // The header is line 1.
        refused: report.refused.map(({ line, problem }) => ({ record: `line ${line - 1}`, problem })),
        refused_count: report.refused_count,
      };
    },
    forget: async (userId, isDryRun) => {
      const memory = await open();
      if (userId === ownerId) return memory.forgetOwner(isDryRun);
      return { erased: [], unreached: await findNobodys(memory, userId) };
    },
    countWaiting: async () => (isEmbedderLocal ? 0 : (await open()).countWaiting()),
  };
}
