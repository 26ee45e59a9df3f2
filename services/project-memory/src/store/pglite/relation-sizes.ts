import type { PGlite } from '@electric-sql/pglite';

type Engine = Pick<PGlite, 'query' | 'exec' | 'transaction'>;

/** How large each table and index was at the least, with its file, which changes when the table is rewritten. */
const TABLE = `
  create table if not exists project_memory_sizes (
    relation oid primary key, file oid not null, bytes bigint not null)`;

const MEASURED = `
  select c.oid::int8::float8 as relation, pg_relation_filenode(c.oid)::int8::float8 as file,
         pg_relation_size(c.oid)::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'i', 't') and n.nspname in ('public', 'pg_toast')`;

const SHORTER = `
  select c.oid::regclass::text as name from project_memory_sizes s join pg_class c on c.oid = s.relation
  where pg_relation_filenode(c.oid) = s.file and pg_relation_size(c.oid) < s.bytes
  order by name`;

interface Size {
  readonly relation: number;
  readonly file: number;
  readonly bytes: number;
}

/**
 * Notes how large the files of a database are. They only grow, as long as vacuum cuts none: one that is shorter later has lost rows,
 * and Postgres would not say so. The sizes are taken before the checkpoint, which has them on the disk.
 */
export async function rememberSizes(engine: Engine): Promise<void> {
  await engine.exec(TABLE);
  const { rows } = await engine.query<Size>(MEASURED);
  await engine.exec('checkpoint');
  const columns = [rows.map(({ relation }) => relation), rows.map(({ file }) => file), rows.map(({ bytes }) => bytes)];
  await engine.transaction(async (sql) => {
    await sql.query('delete from project_memory_sizes');
    await sql.query(
      `insert into project_memory_sizes (relation, file, bytes)
       select r::oid, f::oid, b from unnest($1::int8[], $2::int8[], $3::int8[]) as s (r, f, b)`,
      columns,
    );
  });
}

/** The tables and indexes whose files are shorter than they were; none where nothing was noted. */
export async function findShorter(engine: Pick<PGlite, 'query'>): Promise<readonly string[]> {
  const known = await engine.query<{ known: boolean }>(
    "select to_regclass('project_memory_sizes') is not null as known",
  );
  if (known.rows[0]?.known !== true) return [];
  return (await engine.query<{ name: string }>(SHORTER)).rows.map(({ name }) => name);
}
