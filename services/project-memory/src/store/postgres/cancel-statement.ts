import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** What a connection knows of its server; the types of `pg` leave it out. */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/** Source: PostgreSQL, Message Formats, CancelRequest. */
const CANCEL_REQUEST = 80_877_102;

/** How long one request may take, and how long after it another is sent, in milliseconds. */
const REQUEST_MS = 2_000;
const PAUSE_MS = 100;

function toRequest({ processID, secretKey }: Backend): Buffer {
  const request = Buffer.alloc(16);
  for (const [at, value] of [request.length, CANCEL_REQUEST, processID, secretKey].entries()) {
    request.writeInt32BE(value, 4 * at);
  }
  return request;
}

/** The server answers nothing; it closes the connection once the statement is cancelled. */
async function sendRequest(backend: Backend, signal: AbortSignal): Promise<void> {
  const { host, port } = backend;
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  try {
    socket.end(toRequest(backend)).resume();
    await once(socket, 'close', { signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]) });
  } finally {
    socket.destroy();
  }
}

/**
 * Has the server end what a connection runs, as `psql` does at Ctrl-C: it takes no connection of the pool, and poolers pass it on. A
 * request that comes before its statement is lost, so that it is sent until the statement has ended. The connection
 * must not be used by anybody else, whom a late request would hit.
 */
export async function cancelStatement(client: pg.PoolClient, ended: AbortSignal): Promise<void> {
  const backend = client as unknown as Backend;
  while (!ended.aborted) {
    // Where none arrives, the statement ends by its own limit.
    await sendRequest(backend, ended).catch(() => undefined);
    await sleep(PAUSE_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}
