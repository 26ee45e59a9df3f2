import type pg from 'pg';

/** Works with one connection of a pool. What it began is undone where work throws, and one that broke is not given to the next. */
export async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that breaks between two statements emits an error, and an error without a listener ends the process.
  const onBroken = (cause: Error): void => {
    broken = cause;
  };
  client.on('error', onBroken);
  try {
    return await work(client);
  } catch (error) {
    await client.query('ROLLBACK').catch(onBroken);
    throw error;
  } finally {
    client.off('error', onBroken);
    client.release(broken);
  }
}
