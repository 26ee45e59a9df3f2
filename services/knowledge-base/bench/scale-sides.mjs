// The knowledge base over each engine, as bench:scale asks it.
import { randomUUID } from 'node:crypto';
import { createLexicalEmbedder } from '@contextloom/llm';
import { silentLog } from '@contextloom/runtime';
import { sizeOfDatabase } from '@contextloom/sqlite';
import { createPostgresServer, findPostgres } from '@contextloom/testing/postgres-server';
import pg from 'pg';
import { createKnowledgeBase } from '../build/domain/local-knowledge-base.js';
import { openDocumentDatabase } from '../build/store/postgres/database.js';
import { createPostgresStore } from '../build/store/postgres/store.js';
import { makeFolder, openEmbedded } from './embedded.mjs';

const embedder = createLexicalEmbedder();
/** As the settings have it. */
const CACHE_BYTES = 384 * 2 ** 20;

async function openSqliteSide() {
  const { file, remove } = await makeFolder();
  const knowledgeBase = await openEmbedded(file, { cacheBytes: CACHE_BYTES });
  const close = async () => {
    await knowledgeBase.close();
    await remove();
  };
  return { name: 'sqlite', knowledgeBase, diskBytes: async () => sizeOfDatabase(file), close };
}

async function startServer() {
  const bin = await findPostgres('plain');
  if (bin === undefined) throw new Error('there is no Postgres on this machine: name one with --url');
  const server = await createPostgresServer(bin);
  await server.start();
  return server;
}

/** A database of its own for the time of the run. */
async function makeDatabase(serverUrl) {
  const client = new pg.Client(serverUrl);
  await client.connect();
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  await client.query(`CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  const diskBytes = async () =>
    Number((await client.query('SELECT pg_database_size($1) AS bytes', [name])).rows[0].bytes);
  const remove = async () => {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await client.end();
  };
  return { url: url.href, diskBytes, remove };
}

async function openPostgresSide(url) {
  const server = url === undefined ? await startServer() : undefined;
  const made = await makeDatabase(url ?? server.url);
  const database = await openDocumentDatabase({ url: made.url, log: silentLog });
  const how = { database, name: 'the database', embedder: embedder.identity, cacheBytes: CACHE_BYTES };
  const store = await createPostgresStore(how);
  const knowledgeBase = createKnowledgeBase({
    store,
    embedder,
    isolation: 'off',
    clock: () => new Date(),
    newId: randomUUID,
  });
  const close = async () => {
    await knowledgeBase.close();
    await made.remove();
    await server?.remove();
  };
  return { name: 'postgres', knowledgeBase, diskBytes: made.diskBytes, close };
}

/** Opens a knowledge base without memories on an engine. */
export async function openScaleSide(engine, url) {
  return engine === 'sqlite' ? openSqliteSide() : openPostgresSide(url);
}
