import { createServer, type Server, type Socket } from 'node:net';
import { toToldFailure } from '@contextloom/contracts';
import { ResponseError } from 'vscode-jsonrpc/node';
import type { Row, SqlDatabase } from '../../database.ts';
import { toStoreError } from '../../errors.ts';
import { begin, end, hello, PROTOCOL, query, run, toConnection } from './messages.ts';
import { createServedTransactions } from './serve-transactions.ts';

/** Any number that JSON-RPC does not use itself. */
const FAILED = 1;

function toResponseError(thrown: unknown): ResponseError<unknown> {
  const error = toStoreError(thrown, 'PROJECT_MEMORY_DATA_DIR');
  const cause = error.cause ?? thrown;
  return new ResponseError(FAILED, error.message, { ...toToldFailure(error), cause: String(cause) });
}

/** Runs work of a request; the client gets the error that it throws. */
async function answer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toResponseError(error);
  }
}

function serveClient(opening: Promise<SqlDatabase>, socket: Socket): void {
  const connection = toConnection(socket, () => {
    serving.then(({ transactions }) => transactions.close()).catch(() => undefined);
  });
  const serving = opening.then((database) => ({ database, transactions: createServedTransactions(database) }));
  // Each request tells its own failure.
  serving.catch(() => undefined);
  connection.onRequest(hello, () => answer(() => serving.then(() => PROTOCOL)));
  connection.onRequest(query, ({ text, parameters, transaction }) =>
    answer(async (): Promise<readonly Row[]> => {
      const { database, transactions } = await serving;
      if (transaction === undefined) return database.query(text, parameters);
      return transactions.query(transaction, text, parameters);
    }),
  );
  connection.onRequest(run, ({ text }) =>
    answer(async () => {
      await (await serving).database.run(text);
      return null;
    }),
  );
  connection.onRequest(begin, () => answer(async () => (await serving).transactions.begin()));
  connection.onRequest(end, (message) =>
    answer(async () => {
      await (await serving).transactions.end(message);
      return null;
    }),
  );
  connection.listen();
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** A database that other processes reach. */
export interface ServedDatabase {
  /** Takes no more clients and lets go of those that there are; what they had not committed is rolled back. */
  readonly close: () => Promise<void>;
}

/** Lets other processes use a database, by a Unix socket or a named pipe. They may come while it is still being opened. */
export async function serveDatabase(opening: Promise<SqlDatabase>, path: string): Promise<ServedDatabase> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serveClient(opening, socket);
  });
  await listen(server, path);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
