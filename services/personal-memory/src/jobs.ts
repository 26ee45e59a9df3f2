import { access, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { ContextloomError, parseInput, userIdSchema } from '@contextloom/contracts';
import type { TransferFormat } from '@contextloom/contracts/personal-memory';
import { restoreDatabase } from '@contextloom/sqlite';
import type { MemoryContext } from './domain/context.ts';
import type { MemoryStore } from './domain/store.ts';
import { type ParsedDocument, parseDocument } from './domain/transfer/document.ts';
import { toDocument } from './domain/transfer/export.ts';
import { type ImportReport, importDocument } from './domain/transfer/import.ts';
import { type MemoryPlace, type MoveOptions, moveMemories, type StoreChoice } from './open-personal-memory.ts';
import { toOriginalName } from './store/backups.ts';
import { isUserFile } from './store/per-user-store.ts';
import { readReferenceDatabase } from './store/reference-database.ts';
import { memoryTables } from './store/schema.ts';
import { readDocument, readJson, writeDocument } from './transfer/formats.ts';

/** What the jobs of the command line need. */
export interface JobOptions extends Omit<MemoryContext, 'memory'> {
  readonly store: MemoryStore;
  /** The user of the job; undefined for all users. */
  readonly userId: string | undefined;
}

/**
 * Replaces a database by one of its backups.
 * @returns the restored database, and where its old file is kept
 * @throws ContextloomError `invalid` for a file that is not a backup, `conflict` while a server uses the database
 */
export async function restore(
  from: string,
  { file, usersFolder, cipherKey }: MemoryPlace & { readonly cipherKey: string | undefined },
  now: Date,
): Promise<{ readonly restored: string; readonly kept: string }> {
  await access(from);
  const name = toOriginalName(basename(from));
  const restored = name !== undefined && isUserFile(name) ? join(usersFolder, name) : file;
  const kept = `${restored}.before-restore-${now.toISOString().replaceAll(':', '-')}`;
  await restoreDatabase({ file: restored, from: resolve(from), kept, cipherKey, tables: memoryTables });
  return { restored, kept };
}

/** Moves the memories of all users from one engine to the other, and says what came of it. */
export async function move(
  to: string,
  choice: StoreChoice,
  options: Omit<MoveOptions, 'to'>,
): Promise<{ readonly text: string; readonly isInterrupted: boolean }> {
  const { users, copied, isInterrupted } = await moveMemories(choice, { ...options, to });
  if (users === 0) return { text: 'Personal memory: nothing to move.', isInterrupted };
  const what = `${users} users, ${copied} written now, each compared by count and digest`;
  if (isInterrupted) return { text: `Interrupted: ${what}. The same command goes on.`, isInterrupted };
  const next =
    to === 'postgres'
      ? 'Start the servers with DATABASE_URL; the files are kept under another name.'
      : 'Start the servers without DATABASE_URL, or with PERSONAL_MEMORY_STORE=embedded; what is stored in the database from now on is not in the files.';
  return { text: `Personal memory: ${what}. ${next}`, isInterrupted };
}

function toFormat(file: string): TransferFormat | undefined {
  const extension = extname(file).toLowerCase();
  if (extension === '.csv') return 'csv';
  return extension === '.json' ? 'json' : undefined;
}

/** Only the owner of an exported file may read it. */
const PRIVATE = { mode: 0o600 };

/**
 * Writes the memory of one user, or of all users, to a file.
 * @throws ContextloomError `invalid` for a file of another kind
 */
export async function exportTo(
  file: string,
  { store, userId }: JobOptions,
): Promise<{ readonly file: string; readonly users: readonly string[] }> {
  const format = toFormat(file);
  const refuse = (message: string) => new ContextloomError('invalid', `--export ${message}`, { field: 'export' });
  if (format === undefined) throw refuse('must be a .json or .csv file');
  if (userId !== undefined) {
    await writeFile(file, await writeDocument(await store.use(userId, toDocument), format), PRIVATE);
    return { file, users: [userId] };
  }
  if (format === 'csv') throw refuse('of all users must be a .json file');
  const users = await store.users();
  const documents: (readonly [string, unknown])[] = [];
  for (const user of users) documents.push([user, await store.use(user, toDocument)]);
  await writeFile(file, JSON.stringify({ users: Object.fromEntries(documents) }, null, 2), PRIVATE);
  return { file, users };
}

/** The documents of an export of all users; undefined for one of a single user. */
async function parseUsers(json: unknown, file: string): Promise<ReadonlyMap<string, ParsedDocument> | undefined> {
  if (typeof json !== 'object' || json === null || !('users' in json)) return undefined;
  const { users } = json;
  if (typeof users !== 'object' || users === null) {
    throw new ContextloomError('invalid', `${file}: users must be an object`, { field: 'users' });
  }
  const documents = new Map<string, ParsedDocument>();
  for (const [user, document] of Object.entries(users)) {
    const id = parseInput(userIdSchema, user, [`${file}, a user`]);
    documents.set(id, await parseDocument(document, `${file}, ${user}`));
  }
  return documents;
}

async function readDocuments(file: string, userId: string | undefined): Promise<ReadonlyMap<string, ParsedDocument>> {
  await access(file);
  const format = toFormat(file);
  if (format === undefined) return readReferenceDatabase(file);
  const text = await readFile(file, 'utf8');
  const users = format === 'json' ? await parseUsers(readJson(text, file), file) : undefined;
  if (users !== undefined) return users;
  if (userId === undefined) {
    throw new ContextloomError('invalid', `${file} is of one user: name them with --user-id, without --multi-user`);
  }
  return new Map([[userId, await readDocument(text, { format, source: file })]]);
}

/**
 * Adds the contents of a file to the memory of one user, or of all users.
 * @returns what was added to whose memory
 * @throws ContextloomError `invalid` or `not_found`
 */
export async function importFrom(
  file: string,
  { store, userId, ...common }: JobOptions,
): Promise<{ readonly file: string; readonly users: Readonly<Record<string, ImportReport>> }> {
  const documents = await readDocuments(file, userId);
  const reports: (readonly [string, ImportReport])[] = [];
  for (const user of userId === undefined ? documents.keys() : [userId]) {
    const document = documents.get(user);
    if (document === undefined) {
      const message = `${file} has nothing of ${user}; it has ${[...documents.keys()].join(', ')}`;
      throw new ContextloomError('not_found', message, { field: 'user-id' });
    }
    reports.push([user, await store.use(user, (memory) => importDocument(document, { ...common, memory }))]);
  }
  return { file, users: Object.fromEntries(reports) };
}
