import { once } from 'node:events';
import { connect } from 'node:net';
import { ContextloomError, failureSchema, fromToldFailure } from '@contextloom/contracts';
import { withDeadline } from '@contextloom/retrieval/scheduling';
import { type MessageConnection, ResponseError } from 'vscode-jsonrpc/node';
import { z } from 'zod';
import type { Row, Sql, SqlDatabase } from '../../database.ts';
import { begin, end, hello, PROTOCOL, query, run, toConnection } from './messages.ts';

/** The process that holds the database ended, or does not answer: another one may hold it by now. */
export class HolderLost extends Error {
  override readonly name = 'HolderLost';
}

const toldSchema = failureSchema.extend({ cause: z.string() });

/** What the holder said of a failure; anything else means that there is no holder any more. */
function toError(error: unknown): Error {
  if (error instanceof ContextloomError) return error;
  const told = toldSchema.safeParse(error instanceof ResponseError ? error.data : undefined);
  if (!told.success) return new HolderLost('the process that holds the database is gone', { cause: error });
  const { code, message, field } = fromToldFailure(told.data);
  return new ContextloomError(code, message, { cause: told.data.cause, ...(field !== undefined && { field }) });
}

async function ask<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw toError(error);
  }
}

const toSql = (connection: MessageConnection, transaction?: number): Sql => ({
  query: async <T extends object = Row>(text: string, parameters: readonly unknown[] = []) => {
    const message = { text, parameters, ...(transaction !== undefined && { transaction }) };
    return (await ask(() => connection.sendRequest(query, message))) as readonly T[];
  },
});

async function inTransaction<T>(connection: MessageConnection, work: (sql: Sql) => Promise<T>): Promise<T> {
  const transaction = await ask(() => connection.sendRequest(begin));
  const finish = (outcome: 'commit' | 'rollback') => ask(() => connection.sendRequest(end, { transaction, outcome }));
  let value: T;
  try {
    value = await work(toSql(connection, transaction));
  } catch (error) {
    // A holder that is gone, or gave the transaction up, has rolled it back.
    await finish('rollback').catch(() => undefined);
    throw error;
  }
  await finish('commit');
  return value;
}

async function openConnection(path: string): Promise<MessageConnection> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch (cause) {
    throw new HolderLost('nobody listens', { cause });
  }
  const connection = toConnection(socket);
  connection.listen();
  return connection;
}

/** Milliseconds that a holder may take to open its database: far longer than recovery after a crash takes. */
const OPENING_MS = 60_000;

function hangs(): ContextloomError {
  const message =
    'the process that uses PROJECT_MEMORY_DATA_DIR does not answer: end it (another project-memory server), then try again';
  return new ContextloomError('unavailable', message, { field: 'PROJECT_MEMORY_DATA_DIR' });
}

/** The protocol that the holder speaks, once it has opened its database. */
async function greet(connection: MessageConnection, openingMs: number): Promise<number> {
  try {
    return await ask(() => withDeadline(connection.sendRequest(hello), openingMs, hangs));
  } catch (error) {
    connection.dispose();
    throw error;
  }
}

/**
 * Uses the database that another process holds, which may take `openingMs` milliseconds to open it. Each call rejects with
 * {@link HolderLost} once that process is gone.
 * @throws HolderLost when no process listens there
 * @throws ContextloomError `conflict` when the holder is of another version, `unavailable` when it does not answer, and what it met when it opened the database
 */
export async function reachDatabase(path: string, openingMs = OPENING_MS): Promise<SqlDatabase> {
  const connection = await openConnection(path);
  const protocol = await greet(connection, openingMs);
  if (protocol !== PROTOCOL) {
    connection.dispose();
    const message =
      'a server of another version uses PROJECT_MEMORY_DATA_DIR: end it, or start this one from the same version';
    throw new ContextloomError('conflict', message, { field: 'PROJECT_MEMORY_DATA_DIR' });
  }
  return {
    engine: 'pglite',
    ...toSql(connection),
    run: async (text) => void (await ask(() => connection.sendRequest(run, { text }))),
    transaction: (work) => inTransaction(connection, work),
    close: async () => connection.dispose(),
  };
}
