import { connect as connectTo, createServer, type Server } from 'node:net';
import { silentLog } from '@contextloom/runtime';
import { describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { expect, it } from '@jest/globals';
import { openPool, Refused, toDatabaseError, transact } from '../src/index.ts';

/** Forwards to a database, and cuts a connection when the answer to a COMMIT comes back. */
async function startCutting(url: string): Promise<{ readonly url: string; readonly server: Server }> {
  const target = new URL(url);
  const { hostname, port } = target;
  const server = createServer((client) => {
    const database = connectTo(Number(port), hostname);
    let isCommitting = false;
    client.on('data', (bytes) => {
      isCommitting ||= bytes.includes('COMMIT');
      database.write(bytes);
    });
    database.on('data', (bytes) => (isCommitting ? client.destroy() : client.write(bytes)));
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  target.port = String(Object(server.address()).port);
  return { url: target.href, server };
}

describeWithPostgres('a transaction', (server) => {
  it('that was kept although its connection broke is not said to be lost', async () => {
    await runSql(server().url, 'CREATE TABLE notes (id BIGINT)');
    const cutting = await startCutting(server().url);
    const pool = await openPool({ url: cutting.url, application: 'test', log: silentLog });
    const change = transact(
      pool,
      () => 'BEGIN;',
      ({ query }) => query('INSERT INTO notes VALUES (?)', [1]),
    );
    const refused = await change.catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refused);
    const { message } = toDatabaseError(Object(refused).cause, 'notes');
    expect(message).toContain('may be stored');
    expect(message).not.toContain('nothing was stored');
    expect(await runSql(server().url, 'SELECT id FROM notes')).toHaveLength(1);
    await pool.end();
    cutting.server.close();
  });
});
