// Where the memories of a run are kept: a folder of its own, a database of its own.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { silentLog } from '@contextloom/mcp-kit';
import pg from 'pg';
import { openSqlDatabase } from '../build/open-project-memory.js';

const toEngine = (name, place, env, close) => ({
  name,
  env,
  close,
  open: () => openSqlDatabase({ databaseUrl: undefined, dataDir: '', ...place }, silentLog),
});

async function openPglite() {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-bench-'));
  const dataDir = join(folder, 'data');
  return toEngine('PGlite', { dataDir }, { PROJECT_MEMORY_DATA_DIR: dataDir }, () => rm(folder, { recursive: true }));
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
  return toEngine(
    `Postgres ${Number.parseInt(version, 10)}`,
    { databaseUrl: url.href },
    { DATABASE_URL: url.href },
    () => runOnServer(serverUrl, `drop database ${database}`),
  );
}

/** Those that are asked for; Postgres where TEST_DATABASE_URL says where one is. */
export async function openEngines(names, say) {
  const engines = [];
  if (names.includes('pglite')) engines.push(await openPglite());
  const url = process.env.TEST_DATABASE_URL;
  if (names.includes('postgres') && url === undefined) say('no Postgres: TEST_DATABASE_URL is not set');
  else if (names.includes('postgres')) engines.push(await openPostgres(url));
  return engines;
}
