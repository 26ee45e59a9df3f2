import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { ContextloomError, userIdSchema } from '@contextloom/contracts';
import { restoreDatabase } from '@contextloom/sqlite';
import type { MemoryContext } from './domain/context.ts';
import type { MemoryStore } from './domain/store.ts';
import { type ParsedDocument, toDocument } from './domain/transfer/document.ts';
import { importDocument } from './domain/transfer/import.ts';
import type { MemoryPlace } from './open-memory.ts';
import { toOriginalName } from './store/backups.ts';
import { readReferenceDatabase } from './store/reference-database.ts';
import { readDocument, writeDocument } from './transfer/formats.ts';

/** What the tasks of the command line work with. */
export interface TaskOptions extends Omit<MemoryContext, 'memory'> {
  readonly store: MemoryStore;
  /** The one user whom a task is about; undefined for all. */
  readonly userId: string | undefined;
}

/**
 * Puts a backup in the place of the database that it is of.
 * @returns the old file, which is kept
 * @throws ContextloomError `invalid` for a file that is no backup, `conflict` while a server uses the database
 */
export async function restore(
  from: string,
  { file, usersFolder, cipherKey }: MemoryPlace & { readonly cipherKey: string | undefined },
  now: Date,
): Promise<string> {
  const name = toOriginalName(basename(from));
  const target = name?.startsWith('user-') === true ? join(usersFolder, name) : file;
  const kept = `${target}.before-restore-${now.toISOString().replaceAll(':', '-')}`;
  await restoreDatabase({ file: target, from: resolve(from), kept, cipherKey });
  return kept;
}

/** Writes the memory of the user, or of all, to a file. @returns how many users it has */
export async function exportTo(file: string, { store, userId }: TaskOptions): Promise<number> {
  const isCsv = extname(file) === '.csv';
  if (userId !== undefined) {
    const document = await store.use(userId, toDocument);
    await writeFile(file, writeDocument(document, isCsv ? 'csv' : 'json'));
    return 1;
  }
  if (isCsv) throw new ContextloomError('invalid', '--export of all users must be a .json file', { field: 'export' });
  const users = await store.users();
  const documents: (readonly [string, unknown])[] = [];
  for (const user of users) documents.push([user, await store.use(user, toDocument)]);
  await writeFile(file, JSON.stringify({ users: Object.fromEntries(documents) }, null, 2));
  return users.length;
}

function readUsers(text: string): ReadonlyMap<string, ParsedDocument> | undefined {
  const json: unknown = JSON.parse(text);
  if (typeof json !== 'object' || json === null || !('users' in json)) return undefined;
  const users = Object.entries(json.users ?? {});
  return new Map(users.map(([user, document]) => [user, readDocument(JSON.stringify(document), 'json')]));
}

async function readDocuments(file: string, userId: string | undefined): Promise<ReadonlyMap<string, ParsedDocument>> {
  const extension = extname(file);
  if (extension !== '.json' && extension !== '.csv') return readReferenceDatabase(file);
  const text = await readFile(file, 'utf8');
  const users = extension === '.json' ? readUsers(text) : undefined;
  if (users !== undefined) return users;
  if (userId === undefined) {
    throw new ContextloomError('invalid', `${file} is of one user: name them with --user-id, without --multi-user`);
  }
  return new Map([[userId, readDocument(text, extension === '.csv' ? 'csv' : 'json')]]);
}

/**
 * Adds what a file holds of the user, or of all, to the memory.
 * @returns how many users' memories were added to
 * @throws ContextloomError `invalid` or `not_found`
 */
export async function importFrom(file: string, { store, userId, ...common }: TaskOptions): Promise<number> {
  const documents = await readDocuments(file, userId);
  const wanted = userId === undefined ? [...documents.keys()] : [userId];
  for (const user of wanted) {
    const document = documents.get(user);
    if (document === undefined) {
      const message = `${file} has nothing of ${user}; it has ${[...documents.keys()].join(', ')}`;
      throw new ContextloomError('not_found', message, { field: 'user-id' });
    }
    await store.use(userIdSchema.parse(user), (memory) => importDocument(document, { ...common, memory }));
  }
  return wanted.length;
}
