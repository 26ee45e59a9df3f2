import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ContextloomError, type StoreUpkeep } from '@contextloom/contracts';
import { createQueryEmbedder, type Embedder, type EmbeddingChoice, openEmbedder } from '@contextloom/llm';
import { toSchemaUpkeep } from '@contextloom/postgres';
import { readSearchQuery, toEmbeddedQuery, toRelevanceScale } from '@contextloom/retrieval/ranking';
import type { Log } from '@contextloom/runtime';
import { toFileUpkeep } from '@contextloom/sqlite';
import { type EmbedText, toSearchable } from './domain/context.ts';
import type { MemoryStore } from './domain/store.ts';
import {
  type MigrateOptions,
  type MigrateReport,
  migrateToFiles,
  migrateToPostgres,
} from './store/migrating/migrate.ts';
import { createPerUserStore, listUserFiles, toFileName } from './store/per-user-store.ts';
import { openPostgresDatabase } from './store/postgres/database.ts';
import { openPostgresStore } from './store/postgres/open-postgres-store.ts';
import { FIRST, memorySchema } from './store/postgres/schema.ts';
import { type FormerFiles, refuseMoved } from './store/postgres/takeover.ts';
import { migrations } from './store/schema.ts';
import { openSharedStore } from './store/shared-store.ts';

/** The settings that decide where and how memories are stored. */
export interface StoreChoice extends EmbeddingChoice {
  readonly engine: 'postgres' | 'embedded' | undefined;
  readonly databaseUrl: string | undefined;
  readonly dbPath: string | undefined;
  readonly dataDir: string;
  readonly storage: 'shared' | 'per-user';
  readonly backupDir: string | undefined;
  readonly encryptionKey: string | undefined;
}

/**
 * The address of the database that keeps the memories; undefined where files do.
 * @throws ContextloomError `invalid` for settings that contradict each other
 */
export function toDatabaseUrl({
  engine,
  databaseUrl,
  encryptionKey,
}: Pick<StoreChoice, 'engine' | 'databaseUrl' | 'encryptionKey'>): string | undefined {
  const field = 'PERSONAL_MEMORY_STORE';
  if (engine === 'embedded') return undefined;
  if (engine === 'postgres' && databaseUrl === undefined) {
    const message = 'PERSONAL_MEMORY_STORE is postgres: DATABASE_URL must be the address of a Postgres database';
    throw new ContextloomError('invalid', message, { field });
  }
  if (engine === undefined && databaseUrl !== undefined && encryptionKey !== undefined) {
    const message =
      'DATABASE_URL and DB_ENCRYPTION_KEY are both set, and the key encrypts files alone: set PERSONAL_MEMORY_STORE=embedded to keep them, or PERSONAL_MEMORY_STORE=postgres to move the memories into the database, which its own disk has to encrypt';
    throw new ContextloomError('invalid', message, { field });
  }
  return databaseUrl;
}

/** The paths of a memory. */
export interface MemoryPlace {
  /** The database of all users; unused when each user has a file. */
  readonly file: string;
  readonly usersFolder: string;
  readonly backupFolder: string;
}

/** Resolves the paths of a memory. */
export function toPlace({
  dbPath,
  dataDir,
  backupDir,
}: Pick<StoreChoice, 'dbPath' | 'dataDir' | 'backupDir'>): MemoryPlace {
  const file = resolve(dbPath ?? join(dataDir, 'memory.db'));
  const folder = dirname(file);
  return {
    file,
    usersFolder: join(folder, 'users'),
    backupFolder: backupDir === undefined ? join(folder, 'backups') : resolve(backupDir),
  };
}

/** An open store, and the embedder of its texts. */
export interface OpenedMemory {
  readonly store: MemoryStore;
  readonly embed: EmbedText;
  readonly place: MemoryPlace;
}

const KEPT = '.before-postgres';

/** The files of the memories, as far as Postgres takes their place. */
function toFormerFiles({ storage, encryptionKey }: StoreChoice, place: MemoryPlace): FormerFiles {
  const { file, usersFolder, backupFolder } = place;
  const common = { cipherKey: encryptionKey, backupFolder };
  if (storage === 'per-user') {
    return { ...common, place: usersFolder, moved: `${usersFolder}${KEPT}`, list: () => listUserFiles(usersFolder) };
  }
  const moved = file.replace(/(?:\.db)?$/, `${KEPT}.db`);
  return { ...common, place: file, moved, list: () => (existsSync(file) ? [file] : []) };
}

/** The upkeep of what keeps the memories. @throws ContextloomError `invalid` for settings that contradict each other */
export function toUpkeep(choice: Omit<StoreChoice, keyof EmbeddingChoice>): StoreUpkeep {
  const url = toDatabaseUrl(choice);
  const store = 'personal memory';
  if (url !== undefined) return toSchemaUpkeep({ store, url, schema: memorySchema, first: FIRST });
  const { file, usersFolder } = toPlace(choice);
  const files = { store, migrations, cipherKey: choice.encryptionKey };
  if (choice.storage === 'shared') return toFileUpkeep({ ...files, where: file });
  return toFileUpkeep({ ...files, where: usersFolder, list: () => listUserFiles(usersFolder) });
}

/** The index fingerprint: it changes with the embedder, and with how rows become texts. */
function toFingerprint({ identity }: Embedder): string {
  return JSON.stringify([identity.provider, identity.model, identity.dimensions, 'texts 1']);
}

/** What moving the memories between files and Postgres takes. */
export interface MoveOptions extends Pick<MigrateOptions, 'signal' | 'onProgress'> {
  readonly to: string;
  readonly log: Log;
}

/**
 * Moves the memories from files to Postgres, or copies them back.
 * @throws ContextloomError `invalid` for another engine, and where DATABASE_URL names no database
 */
export async function moveMemories(choice: StoreChoice, { to, log, ...work }: MoveOptions): Promise<MigrateReport> {
  const { databaseUrl: url, storage } = choice;
  if (to !== 'postgres' && to !== 'sqlite') {
    throw new ContextloomError('invalid', `--migrate must be postgres or sqlite; got "${to}"`, { field: 'migrate' });
  }
  if (url === undefined) {
    const message = 'DATABASE_URL must be the address of a Postgres database';
    throw new ContextloomError('invalid', message, { field: 'DATABASE_URL' });
  }
  const place = toPlace(choice);
  const fingerprint = toFingerprint(await openEmbedder(choice));
  const database = await openPostgresDatabase({ url, log });
  try {
    const toName = storage === 'per-user' ? toFileName : undefined;
    const options = { ...work, database, files: toFormerFiles(choice, place), toName, fingerprint };
    return await (to === 'postgres' ? migrateToPostgres(options) : migrateToFiles(options));
  } finally {
    await database.close();
  }
}

/**
 * Opens the memories.
 * @throws ContextloomError for an embedder that is set up wrong, or a file that cannot be used
 */
export async function openPersonalMemory(choice: StoreChoice, { log }: { readonly log: Log }): Promise<OpenedMemory> {
  const place = toPlace(choice);
  const url = toDatabaseUrl(choice);
  const files = toFormerFiles(choice, place);
  if (url === undefined) refuseMoved(files);
  const embedder = await openEmbedder(choice);
  const onFailure = (cause: unknown): void =>
    log.warn({ cause }, 'the embedder is out of reach: texts are stored without vectors and found by their words');
  const embedPassage = createQueryEmbedder({ embed: embedder.embed }, { onFailure });
  const embedQuery = createQueryEmbedder(embedder, { onFailure });
  const scale = toRelevanceScale(embedder.identity);
  const embed: EmbedText = (text, purpose) =>
    purpose === 'query' ? embedQuery(toEmbeddedQuery(text, readSearchQuery(text), scale)) : embedPassage(text);
  const index = {
    toSearchable: (text: string) => toSearchable(text, { embed }),
    dimensions: embedder.identity.dimensions,
    fingerprint: toFingerprint(embedder),
    scale,
  };
  if (url !== undefined) return { store: await openPostgresStore({ ...index, url, files, log }), embed, place };
  const options = { ...index, backupFolder: place.backupFolder, cipherKey: choice.encryptionKey };
  const store =
    choice.storage === 'shared'
      ? openSharedStore({ ...options, file: place.file })
      : createPerUserStore({ ...options, folder: place.usersFolder });
  return { store, embed, place };
}
