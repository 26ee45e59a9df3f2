// Where the memories of a run are kept: a folder of its own, a database of its own.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { createPostgresEngine } from '../build/store/postgres/engine.js';
import { openPgDatabase } from '../build/store/postgres/pg-database.js';

async function openSqlite() {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-bench-'));
  const dataDir = join(folder, 'data');
  const close = () => rm(folder, { recursive: true });
  return { name: 'SQLite', env: { PROJECT_MEMORY_DATA_DIR: dataDir }, close };
}

async function runOnServer(url, statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

async function openPostgres(serverUrl) {
  const database = `contextloom_bench_${randomUUID().slice(0, 8)}`;
  await runOnServer(serverUrl, `create database ${database}`);
  const [{ server_version: version }] = await runOnServer(serverUrl, 'show server_version');
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return {
    name: `Postgres ${Number.parseInt(version, 10)}`,
    env: { DATABASE_URL: url.href },
    close: () => runOnServer(serverUrl, `drop database ${database}`),
    /** Opens it, with all of a selection compared up to so many rows; SQLite always does that. */
    open: (exactUpTo) =>
      createPostgresEngine(openPgDatabase({ url: url.href, onLost: () => undefined }), { exactUpTo }),
  };
}

/** Those that are asked for; Postgres where TEST_DATABASE_URL says where one is. */
export async function openEngines(names, say) {
  const engines = [];
  if (names.includes('sqlite')) engines.push(await openSqlite());
  const url = process.env.TEST_DATABASE_URL;
  if (names.includes('postgres') && url === undefined) say('no Postgres: TEST_DATABASE_URL is not set');
  else if (names.includes('postgres')) engines.push(await openPostgres(url));
  return engines;
}
