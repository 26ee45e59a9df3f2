import {
  archivedDocumentSchema,
  ContextloomError,
  DOCUMENT_LINES,
  importLines,
  isContextloomError,
  type KnowledgeBase,
  type PlacedRecord,
  parseLine,
  type StoredDocument,
  toPage,
} from '@contextloom/contracts';
import { always } from '@contextloom/retrieval/filter';
import { z } from 'zod';
import { toOwned, toOwner } from './documents/isolation.ts';
import { parseCursor, toCursor } from './documents/order.ts';
import { toOwnerText } from './documents/scope.ts';
import { type TextEmbedder, withVectors } from './embedder.ts';
import { toIndexedText, toWrite } from './indexing/indexing.ts';
import type { DocumentStore, Selection } from './store.ts';

/** Documents a step. */
const BATCH = 200;
const everything: Selection = { visible: { kind: 'everyone' }, condition: always };

/** What the archive of documents works with. */
export interface ArchiveOptions {
  readonly store: DocumentStore;
  readonly embedder: TextEmbedder;
  /** How large the files of the store are, in bytes. */
  readonly sizeOf?: (() => number) | undefined;
}

/** How many documents each user has, by id in code unit order. */
async function countByUser(store: DocumentStore): Promise<readonly (readonly [user: string, count: number])[]> {
  const counts = (await store.owners()).flatMap(({ owner, documents }): [string, number][] => {
    const user: unknown = JSON.parse(owner);
    return typeof user === 'string' ? [[user, documents]] : [];
  });
  return counts.sort(([a], [b]) => (a < b ? -1 : 1));
}

async function* readDocuments(
  store: DocumentStore,
  userId: string,
  cursor: string | undefined,
): AsyncGenerator<PlacedRecord> {
  const selection: Selection = { visible: toOwned(userId), condition: always };
  for (let after = cursor; ; ) {
    const page = {
      limit: BATCH,
      sort: 'oldest' as const,
      ...(after !== undefined && { after: parseCursor(after, 'oldest') }),
    };
    const { documents, total, more } = await store.list(selection, page);
    for (const record of documents) {
      after = toCursor(record, 'oldest', total);
      yield { record, cursor: after };
    }
    if (!more) return;
  }
}

/** @throws ContextloomError `forbidden` or `conflict` for a document that cannot become this user's */
function requireOwn(userId: string, document: StoredDocument, stored: StoredDocument | undefined): void {
  const owner = toOwnerText(userId);
  if (toOwner(document.metadata, 'off') !== owner) {
    throw new ContextloomError('forbidden', `the document "${document.id}" is not of this user`, {
      field: 'metadata.user_id',
    });
  }
  if (stored === undefined || toOwner(stored.metadata, 'off') === owner) return;
  throw new ContextloomError('conflict', `the id "${document.id}" is taken by a document of another owner`, {
    field: 'id',
  });
}

const idSchema = z.object({ id: z.string() });

/** The ids in lines; what is wrong with those that have none is found out when they are taken in. */
function readIds(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    try {
      return parseLine(idSchema, line).id;
    } catch (error) {
      if (isContextloomError(error)) return [];
      throw error;
    }
  });
}

async function importBatch(
  { userId, lines, before }: { readonly userId: string; readonly lines: readonly string[]; readonly before: number },
  { store, embedder }: ArchiveOptions,
) {
  const stored = new Map<string, StoredDocument>();
  const fresh = new Map<string, StoredDocument>();
  for (const { document } of await store.read(readIds(lines), everything)) stored.set(document.id, document);
  const report = await importLines(
    lines,
    archivedDocumentSchema,
    async (document) => {
      const there = stored.get(document.id);
      requireOwn(userId, document, there);
      if ((there !== undefined && there.version >= document.version) || fresh.has(document.id)) return false;
      fresh.set(document.id, document);
      return true;
    },
    before,
  );
  const embedded = await withVectors([...fresh.values()], toIndexedText, embedder);
  if (embedded.length > 0) {
    await store.restore(
      embedded.map(({ item, vector }) => ({ ...toWrite(item, toOwnerText(userId)), document: item, vector })),
    );
  }
  return report;
}

/** Builds what lists the users of a store, and takes their documents out of it and into it. */
export function createArchive(options: ArchiveOptions): Pick<KnowledgeBase, 'users' | 'exportUser' | 'importUser'> {
  const { store, sizeOf } = options;
  return {
    users: async ({ after = '', limit }) => {
      const users = (await countByUser(store)).filter(([user]) => user > after).slice(0, limit);
      return {
        users: users.map(([user_id, count]) => ({ user_id, counts: [{ what: 'documents', count }] })),
        ...(sizeOf !== undefined && { bytes: sizeOf() }),
      };
    },
    exportUser: async (userId, cursor) => ({
      ...DOCUMENT_LINES,
      ...(await toPage(readDocuments(store, userId, cursor))),
      unreached: [],
    }),
    importUser: async (userId, lines) => {
      const total = { imported: 0, known: 0, refused_count: 0 };
      const refused: { record: string; problem: string }[] = [];
      for (let from = 0; from < lines.length; from += BATCH) {
        const report = await importBatch({ userId, lines: lines.slice(from, from + BATCH), before: from }, options);
        total.imported += report.imported;
        total.known += report.known;
        total.refused_count += report.refused_count;
        refused.push(...report.refused);
      }
      return { ...total, refused: refused.slice(0, 100) };
    },
  };
}
