import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { Sql, SqlDatabase } from './database.ts';
import { DurableFolder, publishFolder } from './durable-folder.ts';
import { withStoreErrors } from './errors.ts';
import { lockFolder } from './folder-lock.ts';
import { createUpkeep, type Upkeep } from './pglite-upkeep.ts';

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
export function toPgliteDatabase(
  engine: PGlite,
  { afterTransaction }: Pick<Upkeep, 'afterTransaction'>,
  release: () => void = () => undefined,
): SqlDatabase {
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
    close: async () => {
      await engine.close();
      release();
    },
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

/**
 * Opens the embedded Postgres in a folder, which it makes where there is none (some seconds the first time, less than one
 * after that).
 * @throws ContextloomError `unavailable` when another process has the folder, or it cannot be used
 */
export async function openPgliteDatabase(
  folder: string,
  onUpkeepFailed: (cause: unknown) => void,
): Promise<SqlDatabase> {
  const release = lockFolder(folder);
  try {
    const files = join(folder, 'postgres');
    const engine = await withStoreErrors(PLACE, async () => {
      if (!existsSync(files)) await makeFiles(files);
      return createEngine(files);
    });
    const upkeep = createUpkeep(engine, onUpkeepFailed);
    await upkeep.run();
    return toPgliteDatabase(engine, upkeep, release);
  } catch (error) {
    release();
    throw error;
  }
}
