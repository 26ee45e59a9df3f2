import { existsSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { Sql, SqlDatabase } from '../database.ts';
import { withStoreErrors } from '../errors.ts';
import { DurableFolder, makePrivate, publishFolder } from './durable-folder.ts';
import { createUpkeep, type Upkeep } from './pglite-upkeep.ts';
import { findShorter } from './relation-sizes.ts';
import { joinFolder, takeFolder } from './sharing/join-folder.ts';
import { shareDatabase } from './sharing/shared-database.ts';

const PLACE = 'PROJECT_MEMORY_DATA_DIR';

/** `-F` turns flushing off; `fdatasync` is an empty function in emscripten, `fsync` is not. */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
];

type Queryable = Pick<PGlite, 'query'>;

const toSql = (engine: Queryable): Sql => ({
  query: async <T extends object>(text: string, parameters: readonly unknown[] = []) =>
    (await engine.query<T>(text, [...parameters])).rows,
});

/** Wraps an open PGlite; closing the database closes it. */
export function toPgliteDatabase(engine: PGlite, { afterTransaction }: Pick<Upkeep, 'afterTransaction'>): SqlDatabase {
  return {
    engine: 'pglite',
    query: (text, parameters) => withStoreErrors(PLACE, () => toSql(engine).query(text, parameters)),
    run: (text) => withStoreErrors(PLACE, async () => void (await engine.exec(text))),
    transaction: async (work) => {
      const value = await withStoreErrors(PLACE, () =>
        engine.transaction((transaction) => work(toSql(transaction as Queryable))),
      );
      await afterTransaction();
      return value;
    },
    close: () => engine.close(),
  };
}

const createEngine = (folder: string): Promise<PGlite> =>
  PGlite.create({ fs: new DurableFolder(folder), extensions: { vector }, startParams });

/** Makes the files under another name: what an interrupted start leaves behind is no database, and is not taken for one. */
async function makeFiles(folder: string): Promise<void> {
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  const engine = await createEngine(draft);
  await engine.close();
  await publishFolder(draft, folder);
}

const refuse = (problem: string, cause?: unknown): ContextloomError =>
  new ContextloomError('unavailable', `${problem}; nothing was changed: put back a copy of the folder`, {
    field: PLACE,
    cause,
  });

/** Whether a folder has a database; one with other things in it is not taken for a new one. */
async function hasDatabase(files: string): Promise<boolean> {
  if (existsSync(join(files, 'PG_VERSION'))) return true;
  if (!existsSync(files)) return false;
  if ((await readdir(files)).length > 0) throw refuse(`${files} has files but no PG_VERSION, and is no whole database`);
  await rmdir(files);
  return false;
}

async function openFiles(files: string): Promise<PGlite> {
  if (!(await hasDatabase(files))) await makeFiles(files);
  const engine = await createEngine(files).catch((cause: unknown) => {
    throw refuse(`Postgres cannot start in ${files}, and the log says why`, cause);
  });
  await makePrivate(files);
  const shorter = await findShorter(engine);
  if (shorter.length === 0) return engine;
  await engine.close();
  throw refuse(`files in ${files} are shorter than they were (${shorter.join(', ')})`);
}

/** Opens the files in a folder that this process alone uses. */
async function openFolder(folder: string, onUpkeepFailed: (cause: unknown) => void): Promise<SqlDatabase> {
  const engine = await withStoreErrors(PLACE, () => openFiles(join(folder, 'postgres')));
  const upkeep = createUpkeep(engine, onUpkeepFailed);
  await upkeep.run();
  const database = toPgliteDatabase(engine, upkeep);
  const close = async (): Promise<void> => {
    await upkeep.remember();
    await database.close();
    await makePrivate(join(folder, 'postgres'));
  };
  return { ...database, close };
}

/** What an embedded Postgres is opened with. */
export interface PgliteOptions {
  readonly folder: string;
  /** `shared`: with all other processes that use the folder; `alone`: while none other does. */
  readonly use: 'shared' | 'alone';
  readonly onUpkeepFailed: (cause: unknown) => void;
  /** Told when other processes cannot share what this one holds. */
  readonly onUnserved: (cause: unknown) => void;
}

/**
 * Opens the embedded Postgres in a folder, which it creates if it is missing (some seconds the first time, less than one
 * after that).
 * @throws ContextloomError `conflict` when another process has the folder and cannot be reached, `unavailable` when it cannot be used
 */
export async function openPgliteDatabase(options: PgliteOptions): Promise<SqlDatabase> {
  const { folder, use, onUpkeepFailed, onUnserved } = options;
  const open = () => openFolder(folder, onUpkeepFailed);
  if (use === 'alone') return takeFolder({ folder, open });
  return shareDatabase(() => joinFolder({ folder, open, onUnserved }));
}
