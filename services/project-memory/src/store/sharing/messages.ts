import {
  createMessageConnection,
  type MessageConnection,
  RequestType,
  RequestType0,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node.js';
import type { Row } from '../database.ts';

/** One of these numbers is spoken between two processes; a process that speaks another one is refused. */
export const PROTOCOL = 1;

/** One statement; without the number of a transaction it is a transaction of its own. */
export interface QueryMessage {
  readonly text: string;
  readonly parameters: readonly unknown[];
  readonly transaction?: number;
}

/** Ends a transaction. */
export interface EndMessage {
  readonly transaction: number;
  readonly outcome: 'commit' | 'rollback';
}

/** Answered once the database is open: which protocol the holder speaks. */
export const hello = new RequestType0<number, unknown>('hello');
export const query = new RequestType<QueryMessage, readonly Row[], unknown>('query');
export const run = new RequestType<{ readonly text: string }, null, unknown>('run');
/** Answers the number of a new transaction. */
export const begin = new RequestType0<number, unknown>('begin');
/** A commit that was answered is durable. */
export const end = new RequestType<EndMessage, null, unknown>('end');

/** Speaks JSON-RPC over a socket; the caller says when to listen. */
export function toConnection(socket: NodeJS.ReadWriteStream): MessageConnection {
  return createMessageConnection(new StreamMessageReader(socket), new StreamMessageWriter(socket));
}
