import type { Socket } from 'node:net';
import {
  createMessageConnection,
  type Message,
  type MessageConnection,
  RequestType,
  RequestType0,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { Row } from '../../database.ts';

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

/** The library throws the failure of a write to a dead peer outside of any caller, which would end the process. */
class SocketWriter extends StreamMessageWriter {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super(socket);
    this.#socket = socket;
  }

  override async write(message: Message): Promise<void> {
    try {
      await super.write(message);
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : undefined);
    }
  }
}

/**
 * Speaks JSON-RPC over a socket; the caller says when to listen. When the other side is gone, the connection is disposed of, and
 * requests without an answer reject.
 */
export function toConnection(socket: Socket, onClose: () => void = () => undefined): MessageConnection {
  const connection = createMessageConnection(new StreamMessageReader(socket), new SocketWriter(socket));
  socket.on('error', () => socket.destroy());
  connection.onClose(() => {
    connection.dispose();
    onClose();
  });
  connection.onDispose(() => socket.destroy());
  return connection;
}
