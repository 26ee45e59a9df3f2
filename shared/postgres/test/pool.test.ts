import { once } from 'node:events';
import { createServer } from 'node:net';
import { silentLog } from '@contextloom/runtime';
import { expect, it } from '@jest/globals';
import { openPool, Refused, transact } from '../src/index.ts';

/** A message of Postgres' protocol. Source: PostgreSQL, Message Formats. */
function toMessage(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(kind), length, body]);
}

const WELCOME = Buffer.concat([toMessage('R', Buffer.alloc(4)), toMessage('Z', Buffer.from('I'))]);
const CUT = toMessage('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'));

it('refuses what a connection is for that is cut as it is made, and the process goes on', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // One piece: the connection is ready and broken before anybody has it in hands.
    socket.once('data', () => socket.end(Buffer.concat([WELCOME, CUT])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `postgres://ann@127.0.0.1:${Object(server.address()).port}/notes`;
  const pool = await openPool({ url, application: 'test', log: silentLog });
  const change = transact(
    pool,
    () => 'BEGIN;',
    ({ query }) => query('SELECT 1'),
  );
  await expect(change).rejects.toBeInstanceOf(Refused);
  expect(pool.totalCount).toBe(0);
  await pool.end();
  server.close();
});
