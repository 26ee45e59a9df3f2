import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Sql } from '../src/store/database.ts';
import { createPostgresEngine } from '../src/store/postgres/engine.ts';
import type { PostgresDatabase } from '../src/store/postgres/pg-database.ts';
import { toLayoutSql } from '../src/store/postgres/schema/layout.ts';
import { schemaSteps } from '../src/store/postgres/schema/schema.ts';
import { checkIsolation } from './isolation.ts';
import { openPostgres, type TestDatabase } from './support/databases.ts';
import { createArbiter, createMemory, embedder, openStore } from './support/memory.ts';

const TABLES = [
  'fragments',
  'memories',
  'memory_arbitrations',
  'memory_links',
  'memory_receipts',
  'memory_versions',
  'projects',
  'version_fragments',
];

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openPostgres();
});
beforeEach(() => opened.empty());
afterAll(() => opened.close());

const note = (content: string) => ({ project_name: 'p', content_type: 'plan' as const, content });

/** Tells of every statement that is run. */
function listenTo(database: PostgresDatabase, tell: (text: string) => void): PostgresDatabase {
  const wrap = (sql: Sql): Sql => ({
    ...sql,
    query: (text, parameters) => {
      tell(text);
      return sql.query(text, parameters);
    },
  });
  return {
    ...database,
    query: wrap(database).query,
    transaction: (work) => database.transaction((sql) => work(wrap(sql))),
  };
}

describe('a store of an older version', () => {
  /** The first version of the tables, as it was made before layouts were. */
  async function makeFirstVersion(): Promise<void> {
    const [first] = schemaSteps;
    await opened.database.run(first?.(toLayoutSql('plain'), embedder.identity.dimensions) ?? '');
    await opened.database.run('create table project_memory_schema (version int not null, space jsonb not null)');
    const space = JSON.stringify(embedder.identity);
    await opened.database.query('insert into project_memory_schema values (1, $1)', [space]);
  }

  it('opens with what is in it, and its past can be searched once the doctor was there', async () => {
    await makeFirstVersion();
    await opened.database.run(`
      insert into projects (owner_id, project_key, project_name) values ('old', 'p', 'p');
      insert into memories (id, owner_id, project_id, content_type, content, content_hash, ts, summary, tags, revision)
        select 'mem_old', 'old', id, 'plan', 'Ships sail at noon.', '', 1, '', '[]', 2 from projects;
      insert into fragments (id, memory_id, owner_id, project_id, chunk_index, content, tokens)
        select 'mem_old#0', 'mem_old', 'old', id, 0, 'Ships sail at noon.', '''ship'':1' from projects;
      insert into memory_versions (memory_id, owner_id, project_id, revision, content_type, content, content_hash, ts,
                                   summary, tags, created_at, replaced_at)
        select 'mem_old', 'old', id, 1, 'plan', 'Ships sail at dawn.', '', 1, '', '[]',
               now() - interval '9 days', now() - interval '1 day' from projects;`);
    const store = await openStore(opened);
    const { memory } = createMemory(store, { ownerId: 'old' });
    expect(await memory.get(['mem_old'])).toMatchObject([{ content: 'Ships sail at noon.' }]);
    const report = await store.inspect();
    expect(report).toMatchObject({ torn: ['mem_old'], broken: [] });
    for (const id of report.torn) await store.rewriteFragments(id);
    expect(await store.inspect()).toMatchObject({ torn: [], broken: [] });
    const as_of = Date.now() / 1_000 - 3 * 86_400;
    const { results } = await memory.search({ query: 'ships sail', scope: 'all', limit: 5, as_of });
    expect(results).toMatchObject([{ id: 'mem_old', snippet: 'Ships sail at dawn.' }]);
  });

  it('keeps its layout, and refuses another', async () => {
    await makeFirstVersion();
    const refusal = {
      code: 'conflict',
      message: expect.stringContaining('PROJECT_MEMORY_LAYOUT asks for partitioned'),
    };
    await expect(openStore(opened, 'partitioned')).rejects.toMatchObject(refusal);
    await openStore(opened);
  });
});

describe('tables partitioned by owner', () => {
  it('are all of them, and a statement about an owner reads one partition', async () => {
    await openStore(opened, 'partitioned');
    const rows = await opened.database.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'p' order by relname",
    );
    expect(rows.map(({ name }) => name)).toEqual(TABLES);
    const plan = await opened.database.query<{ 'QUERY PLAN': string }>(
      `explain select 1 from fragments f join memories m on m.id = f.memory_id and m.owner_id = f.owner_id
       where f.owner_id = 'somebody'`,
    );
    const read = plan.flatMap((row) => /on ((?:fragments|memories)_\d+)/.exec(row['QUERY PLAN'])?.[1] ?? []);
    expect(new Set(read).size).toBe(2);
    await openStore(opened);
  });
});

/**
 * Stands in for the function of Citus, which is not to be had here: it refuses what Citus is documented to refuse, unique
 * keys without the distribution column, and distributes nothing.
 */
const CITUS = `
  create table distributed (name text);
  create or replace function create_distributed_table(name regclass, col text, colocate_with text) returns void as $$
  begin
    if exists (
      select 1 from pg_index i where i.indrelid = name and i.indisunique and not exists (
        select 1 from pg_attribute a where a.attrelid = name and a.attname = col and a.attnum = any(i.indkey))
    ) then raise exception 'a unique key of % lacks %', name, col;
    end if;
    insert into distributed values (name::text);
  end $$ language plpgsql`;

const FOREIGN_KEYS = `
  select c.conrelid::regclass::text as name,
         (select array_agg(a.attname::text) from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any(c.conkey)) as own,
         (select array_agg(a.attname::text) from pg_attribute a where a.attrelid = c.confrelid and a.attnum = any(c.confkey)) as target
  from pg_constraint c where c.contype = 'f'`;

describe('tables for Citus', () => {
  it('have the owner in every key, and are written and locked by owner alone', async () => {
    await opened.database.run(`drop table if exists distributed; ${CITUS}`);
    const statements = new Set<string>();
    const listened = listenTo(opened.database, (text) => statements.add(text));
    const store = await openStore({ toEngine: (options) => createPostgresEngine(listened, options) }, 'citus');
    const rows = await opened.database.query<{ name: string }>('select name from distributed order by name');
    expect(rows.map(({ name }) => name)).toEqual(TABLES);
    const keys = await opened.database.query<{ own: string[]; target: string[] }>(FOREIGN_KEYS);
    expect(keys.length).toBeGreaterThan(8);
    for (const { own, target } of keys) {
      expect(own).toContain('owner_id');
      expect(target).toContain('owner_id');
    }
    statements.clear();
    await checkIsolation(store, 3);
    const { memory, ownerId } = createMemory(store, { embed: async () => undefined, analyst: createArbiter('SKIP') });
    const { id } = await memory.ingest(note('Vectors come later.'));
    const pending = await store.pending(ownerId, 10);
    const [embedding = new Float32Array()] = await embedder.embed(['x']);
    await store.addEmbeddings(pending.map((fragment) => ({ ...fragment, embedding })));
    await store.rewriteFragments(id);
    const writes = [...statements].filter((text) => /^\s*(update|delete)|for update/.test(text));
    expect(writes.length).toBeGreaterThan(4);
    for (const text of writes) expect(text).toMatch(/owner_id = \$\d/);
    for (const text of statements) if (/^\s*insert/.test(text)) expect(text).toContain('owner_id');
    await opened.database.run('drop table distributed');
  });
});
