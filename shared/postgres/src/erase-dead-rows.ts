import type { Unreached } from '@contextloom/contracts';

/** Runs a statement outside of transactions, as the user of the database's address. */
export type Run = <Row extends object>(text: string) => Promise<readonly Row[]>;

/**
 * The largest table that is rewritten while a caller waits, in bytes with its indexes: nobody else reads it meanwhile, a second or two.
 * What is larger would stop all users for what one of them asks for.
 */
const MOST_BYTES = 256 * 2 ** 20;

const LARGE =
  'the table is too large to be rewritten while others use it; other rows take their place. At a quiet hour run';
const WHAT = 'deleted rows in the files of the tables';

/** The bytes of a table with its indexes, and with its partitions. */
const toSizeText = (table: string): string => `SELECT pg_total_relation_size('${table}'::regclass)
  + coalesce((SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('${table}'::regclass)), 0)::bigint AS bytes`;

/**
 * Rewrites tables without their dead rows, so that no byte of these is left in their files; of large ones it frees the place alone.
 * @param tables names with their schema, constants of the program
 * @returns what could not be rewritten
 */
export async function rewriteTables(
  run: Run,
  tables: readonly string[],
  mostBytes = MOST_BYTES,
): Promise<readonly Unreached[]> {
  const large: string[] = [];
  for (const table of tables) {
    const [size] = await run<{ bytes: number }>(toSizeText(table));
    const isLarge = (size?.bytes ?? 0) > mostBytes;
    if (isLarge) large.push(table);
    await run(`VACUUM ${isLarge ? '' : '(FULL)'} ${table}`);
  }
  return large.length === 0 ? [] : [{ what: WHAT, why: `${LARGE} "vacuum full ${large.join(', ')}"` }];
}

const LOG: Unreached = {
  what: 'the write-ahead log of the Postgres server',
  why: 'the server overwrites it as it goes on; archives, replicas and base backups are for whoever runs it to erase',
};
const OLDER: Unreached = { what: WHAT, why: 'a transaction that began before is still open: try again' };

/** Postgres keeps a deleted row as long as a transaction is open that began before. */
const toOlderText = (transaction: string): string => `SELECT 1 AS older FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND age(backend_xmin) >= age('${transaction}'::xid8::xid) LIMIT 1`;

/** What a transaction deleted, and where. */
export interface DeadRows {
  /** The tables with their schema, constants of the program. */
  readonly tables: readonly string[];
  /** The transaction that deleted them, as `pg_current_xact_id()` writes it. */
  readonly transaction: string;
}

/** Erases the bytes of deleted rows; answers what could not be reached. */
export async function eraseDeadRows(run: Run, { tables, transaction }: DeadRows): Promise<readonly Unreached[]> {
  const [owner] = await run<{ owns: boolean }>(
    `SELECT pg_has_role(relowner, 'usage') AS owns FROM pg_class WHERE oid = '${tables[0]}'::regclass`,
  );
  if (owner?.owns !== true) {
    const why = `the user of DATABASE_URL does not own them: have the owner run "vacuum full ${tables.join(', ')}"`;
    return [{ what: WHAT, why }, LOG];
  }
  const isAlone = (await run(toOlderText(transaction))).length === 0;
  return [...(isAlone ? [] : [OLDER]), ...(await rewriteTables(run, tables)), LOG];
}
