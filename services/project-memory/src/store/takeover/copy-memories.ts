import { ContextloomError } from '@contextloom/contracts';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { ProjectId, Row, Sql } from '../database.ts';
import { withStoreErrors } from '../postgres/errors.ts';
import type { PostgresDatabase } from '../postgres/pg-database.ts';
import { migrateDatabase } from '../postgres/schema/prepare-database.ts';
import { postgresDialect, toParameter } from '../postgres/values.ts';
import type { VectorSpace } from '../space.ts';
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts';
import { insertRows } from '../writing/write-fragments.ts';

const PLACE = 'PROJECT_MEMORY_DATA_DIR';

const toSql = (engine: Pick<PGlite, 'query'>): Sql => ({
  dialect: postgresDialect,
  query: async <T extends object>(text: string, parameters: readonly unknown[] = []) =>
    (await engine.query<T>(text, parameters.map(toParameter))).rows,
});

/** Wraps a PGlite, whose statements are those of Postgres; closing the database closes it. */
export function toPgliteDatabase(engine: PGlite): PostgresDatabase {
  const database: PostgresDatabase = {
    dialect: postgresDialect,
    query: (text, parameters) => withStoreErrors(PLACE, () => toSql(engine).query(text, parameters)),
    run: (text) => withStoreErrors(PLACE, async () => void (await engine.exec(text))),
    transaction: (work) =>
      withStoreErrors(PLACE, () => engine.transaction((sql) => work(toSql(sql as Pick<PGlite, 'query'>)))),
    // What is taken over is read once, by nobody who could leave.
    until: () => database,
    close: () => engine.close(),
  };
  return database;
}

/** Rows that are in memory at a time. */
const PAGE = 200;

/** The columns of a table, by what they hold. */
interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly times?: readonly string[];
  readonly vector?: string;
  /** Whether it has the words of its texts, which each engine writes in its own way. */
  readonly hasWords?: boolean;
}

const STATE = ['revision', 'content_type', 'content', 'content_hash', 'ts', 'summary', 'tags', 'chunk_count'];
const FRAGMENT = ['id', 'memory_id', 'owner_id', 'project_id', 'chunk_index', 'content'];

/** The tables, those first that others point to. */
const tables: readonly Table[] = [
  {
    name: 'projects',
    columns: ['id', 'owner_id', 'project_key', 'project_name', 'machine_name', 'project_path'],
    times: ['created_at', 'updated_at'],
  },
  {
    name: 'memories',
    columns: ['id', 'owner_id', 'project_id', ...STATE, 'embedding_done'],
    times: ['created_at', 'updated_at'],
    vector: 'avg_embedding',
  },
  { name: 'fragments', columns: FRAGMENT, vector: 'embedding', hasWords: true },
  {
    name: 'memory_versions',
    columns: ['id', 'memory_id', 'owner_id', 'project_id', ...STATE],
    times: ['created_at', 'replaced_at'],
    vector: 'avg_embedding',
  },
  { name: 'version_fragments', columns: [...FRAGMENT, 'revision'], vector: 'embedding', hasWords: true },
  {
    name: 'memory_arbitrations',
    columns: [
      'id',
      'owner_id',
      'project_id',
      'candidate_memory_id',
      'new_memory_id',
      'action',
      'similarity',
      'old_summary',
      'new_summary',
      'model',
      'revision',
      'skipped_type',
      'skipped_content',
      'skipped_ts',
    ],
    times: ['created_at', 'rolled_back_at'],
  },
  { name: 'memory_links', columns: ['owner_id', 'from_id', 'to_id', 'relation'], times: ['created_at'] },
];

const toSelection = ({ name, columns, times = [], vector: embedding }: Table): string => {
  const texts = columns.map((column) => (column === 'tags' ? 'tags::text as tags' : column));
  const moments = times.map((column) => `${postgresDialect.iso(column, 'US')} as ${column}`);
  const vectors = embedding === undefined ? [] : [`${postgresDialect.vector(embedding)} as ${embedding}`];
  return `select ${[...texts, ...moments, ...vectors].join(', ')} from ${name}`;
};

/** Gives projects the numbers that SQLite knows them by. */
function createNumbers(): (uuid: unknown) => ProjectId {
  const numbers = new Map<unknown, number>();
  return (uuid) => {
    const number = numbers.get(uuid) ?? numbers.size + 1;
    numbers.set(uuid, number);
    return number;
  };
}

/** Builds the function that makes of a row of Postgres the values of one of SQLite, in the order of its columns. */
function createToValues(
  to: Sql,
  { name, columns, times = [], vector: embedding, hasWords }: Table,
  numberOf: (uuid: unknown) => ProjectId,
) {
  const project = name === 'projects' ? 'id' : 'project_id';
  return (row: Row): readonly unknown[] => [
    ...columns.map((column) => (column === project ? numberOf(row[column]) : row[column])),
    ...times.map((column) => row[column]),
    ...(embedding === undefined
      ? []
      : [row[embedding] === null ? null : postgresDialect.toVector(String(row[embedding]))]),
    ...(hasWords === true ? [to.dialect.toWords(String(row['content']))] : []),
  ];
}

/** Copies a table; answers how many rows it had. */
async function copyTable(from: Sql, to: Sql, table: Table, numberOf: (uuid: unknown) => ProjectId): Promise<number> {
  const { name, columns, times = [], vector: embedding, hasWords } = table;
  const targets = [
    ...columns,
    ...times,
    ...(embedding === undefined ? [] : [embedding]),
    ...(hasWords ? ['tokens'] : []),
  ];
  const toValues = createToValues(to, table, numberOf);
  await from.query(`declare rows_of_${name} no scroll cursor for ${toSelection(table)}`);
  for (let copied = 0; ; ) {
    const rows = await from.query<Row>(`fetch ${PAGE} from rows_of_${name}`);
    await insertRows(to, name, targets, rows.map(toValues));
    copied += rows.length;
    if (rows.length < PAGE) return copied;
  }
}

/** @throws ContextloomError `internal` when rows are missing, which takes everything back */
async function requireAll(to: Sql, { name }: Table, count: number): Promise<void> {
  const [stored] = await to.query<{ count: number }>(`select count(*) as count from ${name}`);
  if (stored?.count === count) return;
  throw new ContextloomError('internal', `of ${count} rows of ${name}, ${stored?.count} were taken over`);
}

/**
 * Copies everything that is in the files of PGlite into an empty database, in one transaction: rows as they are, with histories, links,
 * deleted memories and vectors. A schema of an earlier version is brought up to date first.
 * @throws ContextloomError; nothing is copied then
 */
export async function copyMemories(files: string, database: SqliteDatabase): Promise<void> {
  const engine = await PGlite.create({ dataDir: files, extensions: { vector } }).catch((cause: unknown) => {
    const message = `the database in ${files}, of an earlier version, cannot be opened, and the log says why; nothing was changed: put back a copy of the folder`;
    throw new ContextloomError('unavailable', message, { field: 'PROJECT_MEMORY_DATA_DIR', cause });
  });
  const old = toPgliteDatabase(engine);
  try {
    // A first start that was killed leaves files without tables.
    const [tablesOf] = await old.query("select 1 where to_regclass('project_memory_schema') is not null");
    const [known] =
      tablesOf === undefined ? [] : await old.query<{ space: VectorSpace }>('select space from project_memory_schema');
    if (known !== undefined) await migrateDatabase(old, { space: known.space, onMismatch: 'refuse' });
    await database.transaction(async (to) => {
      const numberOf = createNumbers();
      await old.transaction(async (from) => {
        for (const table of tables) {
          if (known !== undefined) await requireAll(to, table, await copyTable(from, to, table, numberOf));
        }
      });
      const states = [['taken_over', files], ...(known === undefined ? [] : [['space', JSON.stringify(known.space)]])];
      await insertRows(to, 'project_memory_state', ['name', 'value'], states);
    });
  } finally {
    await old.close();
  }
}
