import type { Pool, PoolClient } from 'pg';
import { isStatementRefused, sqlStateOf, Unconfirmed } from './errors.ts';

/** A value of a parameter. */
export type Value = string | number | boolean | Uint8Array | null | readonly (string | number | Uint8Array | null)[];

/** Runs a statement with a `?` for each parameter. */
export type Query = <Row extends object>(text: string, params?: readonly Value[]) => Promise<readonly Row[]>;

/** One transaction. */
export interface OpenTransaction {
  readonly query: Query;
  /** The first row of the last statement that it began with. */
  readonly first: object | undefined;
  /** Ends it with its connection, whatever it waits for; nothing of it is kept. */
  readonly end: () => void;
}

/** Thrown in a transaction that has to begin again. */
export class Raced extends Error {
  override readonly name = 'Raced';
}

/** What the database or its client threw, and not what worked with it. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Has a transaction kept. Where the connection breaks meanwhile, nobody here knows whether it was. */
async function commit(client: PoolClient): Promise<void> {
  try {
    await client.query('COMMIT');
  } catch (cause) {
    const isUndone = isStatementRefused(sqlStateOf(cause));
    throw new Refused('the database refused a statement', {
      cause: isUndone ? cause : new Unconfirmed('a transaction was not confirmed', { cause }),
    });
  }
}

/** Asks the database; what it throws is distinguished from what work throws. */
export async function fromDatabase<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (cause) {
    throw new Refused('the database refused a statement', { cause });
  }
}

/** How often a transaction is begun. */
const ATTEMPTS = 20;
/** SQLSTATE of a deadlock and of a failed serialization: the transaction is begun again. */
const AGAIN = new Set(['40P01', '40001']);

/** Begins a transaction again that others came in between. */
export async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isRaced = error instanceof Raced || (error instanceof Refused && AGAIN.has(sqlStateOf(error.cause)));
      if (attempt === ATTEMPTS || !isRaced) throw error;
    }
  }
}

/** Numbers the parameters of a statement, none of whose other characters is a question mark. */
function toNumbered(text: string): string {
  let count = 0;
  return text.replace(/\?/g, () => {
    count += 1;
    return `$${count}`;
  });
}

/** Runs work between a beginning and COMMIT; a connection that cannot even roll back is not given to the next. */
export async function transact<T>(
  pool: Pool,
  toBegin: (client: PoolClient) => string,
  work: (transaction: OpenTransaction) => Promise<T>,
): Promise<T> {
  const client = await fromDatabase(pool.connect());
  let broken: Error | undefined;
  let isReleased = false;
  const release = (): void => {
    if (!isReleased) client.release(broken);
    isReleased = true;
  };
  try {
    const begun: unknown = await fromDatabase(client.query(toBegin(client)));
    const { rows } = ([begun].flat() as readonly { readonly rows: readonly object[] }[]).at(-1) ?? {};
    const value = await work({
      first: rows?.[0],
      query: async <Row extends object>(text: string, params: readonly Value[] = []) =>
        (await fromDatabase(client.query(toNumbered(text), [...params]))).rows as readonly Row[],
      end: () => {
        broken ??= new Error('the store was closed');
        release();
      },
    });
    await commit(client);
    return value;
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    release();
  }
}
