// The knowledge base over each engine, at each size, as bench:scale asks it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, sizeOfDatabase } from '@contextloom/sqlite';
import { createPostgresServer, findPostgres } from '@contextloom/testing/postgres-server';
import pg from 'pg';
import { openLocalKnowledgeBase } from '../build/open-local.js';
import { migrations } from '../build/store/sqlite/schema.js';
import { residentMemory, startChroma } from './chroma.mjs';
import { place } from './place.mjs';

/** As the settings have it. */
const CACHE_MB = 384;

/** Opens the knowledge base of a side in this process; `where` is its folder, and its database where it has one. */
export const openScaleKnowledgeBase = (where) =>
  openLocalKnowledgeBase({ ...place, cacheMb: CACHE_MB, forgetExpiredEveryMs: 86_400_000, ...where });

async function withClient(url, work) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What /proc says of a process; an empty text where there is none any more. */
function readProc(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

const parentOf = (pid) => /\) \w (\d+)/.exec(readProc(pid, 'stat'))?.[1];

/** The memory of a Postgres server on this machine in MiB, what its processes share counted once; NaN elsewhere. */
function memoryOfServer(backend) {
  const server = parentOf(backend);
  if (server === undefined) return Number.NaN;
  const pids = readdirSync('/proc').filter((pid) => pid === server || (/^\d+$/.test(pid) && parentOf(pid) === server));
  const kibOf = (pid) => Number(/^Pss:\s+(\d+)/m.exec(readProc(pid, 'smaps_rollup'))?.[1] ?? 0);
  return pids.reduce((sum, pid) => sum + kibOf(pid), 0) / 1_024;
}

/** The number of the user whose memory becomes another one's, in the SQL of both engines: `owner` is a JSON string such as "user-12". */
const toOther = (users, shift) =>
  `((CASE WHEN owner = '"many"' THEN doc ELSE CAST(substr(owner, 7, length(owner) - 7) AS BIGINT) END + ${shift}) % ${users})`;
const KEPT = 'version, created_at, updated_at, importance, time, tags, content, keys';
/** The first columns of a copy, and of what it is a copy of. */
const COPIED = `id, owner, metadata, ${KEPT}`;
const toCopied = (by) => `'doc-' || (CAST(substr(id, 5) AS BIGINT) + ${by}), '"' || u || '"',
  replace(metadata, '"user_id":' || owner, '"user_id":"' || u || '"'), ${KEPT}`;

/** Each memory a second time, for another user: as many as there are, without the work of deriving them. */
const toPostgresCopy = (before, users, turn) => `
  INSERT INTO documents (${COPIED}, attributes, words, vector, norm)
  SELECT ${toCopied(before * turn)}, jsonb_set(attributes, '{str:user_id}', to_jsonb(u)), words, vector, norm
  FROM (SELECT *, 'user-' || ${toOther(users, 3_331 * turn)} AS u FROM documents WHERE doc <= ${before}) d ORDER BY doc`;

const toSqliteCopy = (before, users, turn) => {
  const by = before * turn;
  return `
  DELETE FROM documents WHERE doc > ${by};
  INSERT INTO documents (doc, ${COPIED}) SELECT doc + ${by}, ${toCopied(by)}
  FROM (SELECT *, 'user-' || ${toOther(users, 3_331 * turn)} AS u FROM documents WHERE doc <= ${before}) ORDER BY doc;
  INSERT INTO attributes (doc, name, value) SELECT a.doc + ${by}, a.name,
    CASE a.name WHEN 'str:user_id' THEN (SELECT json_extract(d.owner, '$') FROM documents d WHERE d.doc = a.doc + ${by}) ELSE a.value END
  FROM attributes a WHERE a.doc <= ${before} ORDER BY a.doc;
  INSERT INTO document_entries (row, words, vector, norm) SELECT row + ${by}, words, vector, norm
  FROM document_entries WHERE row <= ${before} ORDER BY row`;
};

async function startServer() {
  const bin = await findPostgres();
  if (bin === undefined) throw new Error('there is no Postgres on this machine: name one with --url');
  const server = await createPostgresServer(bin, ['shared_buffers=1GB', 'max_wal_size=4GB']);
  await server.start();
  return server;
}

async function openPostgres({ folder, url }) {
  const server = url === undefined ? await startServer() : undefined;
  const root = url ?? server.url;
  const nameOf = (size) => `scale_${size}`;
  const urlOf = (size) => Object.assign(new URL(root), { pathname: nameOf(size) }).href;
  const ask = (text) => withClient(root, async (client) => (await client.query(text)).rows);
  const noteOf = async (size) => {
    const text = `SELECT shobj_description(oid, 'pg_database') AS note FROM pg_database WHERE datname = '${nameOf(size)}'`;
    return (await ask(text))[0]?.note ?? undefined;
  };
  return {
    name: 'postgres',
    noteOf,
    whereOf: (size) => ({ dataDir: join(folder, 'none'), databaseUrl: urlOf(size) }),
    begin: async (size, before) => {
      await ask(`DROP DATABASE IF EXISTS ${nameOf(size)} WITH (FORCE)`);
      await ask(`CREATE DATABASE ${nameOf(size)} ${before === undefined ? '' : `TEMPLATE ${nameOf(before)}`}`);
    },
    copy: (size, before, users) =>
      withClient(urlOf(size), async (client) => {
        await client.query("SET search_path TO contextloom_knowledge_base; SET contextloom.owners = '*'");
        for (let turn = 1; turn < size / before; turn += 1) await client.query(toPostgresCopy(before, users, turn));
      }),
    // What the server does by itself after a while.
    finish: async (size, note) => {
      await withClient(urlOf(size), (client) => client.query('VACUUM ANALYZE'));
      await ask(`COMMENT ON DATABASE ${nameOf(size)} IS '${note}'`);
    },
    diskBytes: async (size) => Number((await ask(`SELECT pg_database_size('${nameOf(size)}') AS bytes`))[0].bytes),
    memory: () =>
      withClient(root, async (client) =>
        memoryOfServer((await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid),
      ),
    remove: async (sizes) => {
      for (const size of sizes) await ask(`DROP DATABASE IF EXISTS ${nameOf(size)} WITH (FORCE)`);
    },
    close: async () => server?.remove(),
  };
}

function openSqlite({ folder }) {
  const dirOf = (size) => join(folder, `sqlite-${size}`);
  const noteFile = (size) => join(dirOf(size), 'note.json');
  return {
    name: 'sqlite',
    noteOf: async (size) => (existsSync(noteFile(size)) ? readFile(noteFile(size), 'utf8') : undefined),
    whereOf: (size) => ({ dataDir: dirOf(size) }),
    begin: async (size, before) => {
      await rm(dirOf(size), { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      if (before !== undefined) await cp(dirOf(before), dirOf(size), { recursive: true });
    },
    copy: async (size, before, users) => {
      const database = openDatabase({ file: join(dirOf(size), 'knowledge-base.sqlite'), migrations });
      for (let turn = 1; turn < size / before; turn += 1) database.exec(toSqliteCopy(before, users, turn));
      database.close();
    },
    finish: (size, note) => writeFile(noteFile(size), note),
    diskBytes: async (size) => sizeOfDatabase(join(dirOf(size), 'knowledge-base.sqlite')),
    memory: async () => Number.NaN,
    remove: async (sizes) => {
      for (const size of sizes) await rm(dirOf(size), { recursive: true, force: true });
    },
    close: async () => undefined,
  };
}

/** Chroma keeps nothing between runs, and has one process that writes. */
async function openChroma({ folder }) {
  const server = await startChroma();
  const whereOf = () => ({ dataDir: join(folder, 'chroma'), chromaUrl: server.url });
  return {
    name: 'chroma',
    isAlone: true,
    noteOf: async () => undefined,
    whereOf,
    begin: async () => undefined,
    finish: async () => undefined,
    diskBytes: async () => Number.NaN,
    memory: async () => residentMemory(server.pid),
    remove: async () => rm(join(folder, 'chroma'), { recursive: true, force: true }),
    close: () => server.stop(),
  };
}

const engines = { sqlite: openSqlite, postgres: openPostgres, chroma: openChroma };

/** Opens an engine; `keep` is the folder whose databases are there already or stay, undefined for one of this run. */
export async function openScaleSide(engine, { keep, url }) {
  const folder = keep ?? (await mkdtemp(join(tmpdir(), 'contextloom-bench-scale-')));
  const side = await engines[engine]({ folder, url });
  const close = async (sizes) => {
    if (keep === undefined) await side.remove(sizes);
    await side.close();
    if (keep === undefined) await rm(folder, { recursive: true, force: true });
  };
  return { ...side, close };
}
