import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createPostgresServer, findPostgres } from '@contextloom/testing/postgres-server';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { jest } from '@jest/globals';
import type { SqlDatabase, StoreEngine } from '../../src/store/database.ts';
import { createPostgresEngine, type PostgresEngineOptions } from '../../src/store/postgres/engine.ts';
import { openPgDatabase, type PostgresDatabase } from '../../src/store/postgres/pg-database.ts';
import { createSqliteEngine, openSound } from '../../src/store/sqlite/engine.ts';
import { toPgliteDatabase } from '../../src/store/takeover/copy-memories.ts';

// Making a database of Postgres takes seconds, and many times that where all cores are busy.
jest.setTimeout(120_000);

/** An engine that a test runs on. */
export interface TestDatabase {
  /** What a test does behind the store's back. */
  readonly database: SqlDatabase & Pick<PostgresDatabase, 'run'>;
  readonly toEngine: (options?: PostgresEngineOptions) => StoreEngine;
  /** Removes all that the product has made. */
  readonly empty: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const TABLES = [
  'memory_receipts',
  'project_memory_schema',
  'memory_arbitrations',
  'memory_links',
  'version_fragments',
  'memory_versions',
  'fragments',
  'memories',
  'projects',
];

function toTestDatabase(database: PostgresDatabase, close: () => Promise<void> = async () => undefined): TestDatabase {
  return {
    database,
    toEngine: (options) => createPostgresEngine(database, options),
    empty: () => database.run(`drop table if exists ${TABLES.join(', ')} cascade`),
    close: async () => {
      await database.close();
      await close();
    },
  };
}

/** An SQLite database in a folder of its own. */
export async function openEmbedded(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'project-memory-sqlite-'));
  const database = openSound(folder);
  return {
    database: {
      ...database,
      query: (text, parameters) => database.transaction((sql) => sql.query(text, parameters)),
      run: async (text) => void database.connection.exec(text),
    },
    toEngine: () => createSqliteEngine(database),
    empty: async () => void database.connection.exec('delete from projects; delete from project_memory_state'),
    close: async () => {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The files of a new database, which take seconds to make: the first of a test run leaves them for all others. */
export async function readPristine(): Promise<Blob> {
  const file = join(
    process.env['CONTEXTLOOM_TEST_RUN'] ?? tmpdir(),
    `pglite-${process.env['CONTEXTLOOM_TEST_PID']}.tar`,
  );
  if (!existsSync(file)) {
    const engine = await PGlite.create();
    // Two of the three databases that each new one has: what nobody uses need not be unpacked again and again.
    await engine.exec('update pg_database set datistemplate = false');
    await engine.exec('drop database template0');
    await engine.exec('drop database template1');
    await engine.exec('checkpoint');
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, Buffer.from(await (await engine.dumpDataDir('none')).arrayBuffer()));
    await engine.close();
    // Two workers may make them at once; either's will do.
    await rename(draft, file);
  }
  return new Blob([await readFile(file)]);
}

/** A PGlite in memory, with pgvector. */
const createPglite = async (): Promise<PGlite> =>
  PGlite.create({ extensions: { vector }, loadDataDir: await readPristine() });

const onLost = (): void => undefined;

/** Without pgvector, which Debian does not have: its Postgres server where this machine has one, else PGlite in this process. */
export async function openPlainPostgres(): Promise<TestDatabase> {
  const bin = await findPostgres();
  if (bin === undefined) {
    return toTestDatabase(toPgliteDatabase(await PGlite.create({ loadDataDir: await readPristine() })));
  }
  const server = await createPostgresServer(bin);
  await server.start();
  return toTestDatabase(openPgDatabase({ url: server.url, connections: 8, onLost }), server.remove);
}

/** `pg` over TCP: against TEST_DATABASE_URL where there is one, whose tables are removed, else against PGlite behind its socket server. */
export async function openOverTcp(): Promise<TestDatabase> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined) {
    const opened = toTestDatabase(openPgDatabase({ url: given, onLost }));
    await opened.empty();
    return opened;
  }
  const db = await createPglite();
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 20 });
  const listening = once(server, 'listening');
  await server.start();
  const [{ detail }] = (await listening) as [{ detail: { port: number } }];
  const url = `postgres://postgres@127.0.0.1:${detail.port}/postgres`;
  return toTestDatabase(openPgDatabase({ url, connections: 8, onLost }), async () => {
    await server.stop();
    await db.close();
  });
}

/** Postgres with pgvector: the server of TEST_DATABASE_URL where there is one, else PGlite in this process. */
export const openPostgres = async (): Promise<TestDatabase> =>
  process.env['TEST_DATABASE_URL'] === undefined
    ? toTestDatabase(toPgliteDatabase(await createPglite()))
    : openOverTcp();

/** The engines by name, Postgres without and with pgvector. */
export const engines = [
  ['SQLite', openEmbedded],
  ['Postgres', openPlainPostgres],
  ['Postgres with pgvector', openPostgres],
] as const;

/** Gives a database the columns and indexes of version 3, which kept vectors in pgvector's types. */
export async function toVersion3({ run }: Pick<PostgresDatabase, 'run'>, dimensions: number): Promise<void> {
  await run(`drop table memory_receipts;
    alter table memories drop column ends_at;
    alter table memory_arbitrations drop column ends_at`);
  await run('create extension if not exists vector; drop index if exists memories_nearest, fragments_nearest');
  for (const [table, column] of [
    ['memories', 'avg_embedding'],
    ['memory_versions', 'avg_embedding'],
    ['fragments', 'embedding'],
    ['version_fragments', 'embedding'],
  ]) {
    await run(`alter table ${table} drop constraint ${table}_dimensions;
      alter table ${table} alter column ${column} type vector(${dimensions}) using ${column}::vector`);
  }
  await run(`create index idx_memories_avg_embedding on memories using hnsw (avg_embedding vector_cosine_ops);
    create index idx_fragments_embedding on fragments using hnsw (embedding vector_cosine_ops);
    update project_memory_schema set version = 3`);
}
