import type { Pool, PoolClient } from '@contextloom/postgres';

/** A value of a parameter. */
export type Value = string | number | boolean | Buffer | null | readonly (string | number)[];

/** One transaction. */
export interface Transaction {
  /** What derived the index, as of its beginning; an empty text before anything did. */
  readonly fingerprint: string;
  /** Runs a statement with a `?` for each parameter. */
  readonly query: <Row extends object>(text: string, params?: readonly Value[]) => Promise<readonly Row[]>;
  /** Ends it with its connection, whatever it waits for; nothing of it is kept. */
  readonly end: () => void;
}

/** What is done in one transaction. */
export type Work<T> = (sql: Transaction) => Promise<T>;

/** Thrown in a transaction that has to begin again. */
export class Raced extends Error {
  override readonly name = 'Raced';
}

/** What the database or its client threw, and not what worked with it. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Asks the database; what it throws is told apart from what work throws. */
export async function asked<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (cause) {
    throw new Refused('the database refused a statement', { cause });
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

const FINGERPRINT = "SELECT value FROM state WHERE name = 'fingerprint'";

/** Runs work between a beginning and COMMIT; a connection that cannot even roll back is not given to the next. */
export async function transact<T>(pool: Pool, toBegin: (client: PoolClient) => string, work: Work<T>): Promise<T> {
  const client = await asked(pool.connect());
  let broken: Error | undefined;
  let isReleased = false;
  const release = (): void => {
    if (!isReleased) client.release(broken);
    isReleased = true;
  };
  // A connection that breaks between two statements emits an error, and an error without a listener ends the process.
  const onBroken = (error: Error): void => {
    broken = error;
  };
  client.on('error', onBroken);
  try {
    const begun: unknown = await asked(client.query(`${toBegin(client)} ${FINGERPRINT}`));
    const { rows } = (begun as readonly { readonly rows: readonly { readonly value: string }[] }[]).at(-1) ?? {};
    const value = await work({
      fingerprint: rows?.[0]?.value ?? '',
      query: async <Row extends object>(text: string, params: readonly Value[] = []) =>
        (await asked(client.query(toNumbered(text), [...params]))).rows as readonly Row[],
      end: () => {
        broken ??= new Error('the store was closed');
        release();
      },
    });
    await asked(client.query('COMMIT'));
    return value;
  } catch (error) {
    await client.query('ROLLBACK').catch(onBroken);
    throw error;
  } finally {
    client.off('error', onBroken);
    release();
  }
}
