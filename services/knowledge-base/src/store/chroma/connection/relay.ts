import { connect, createServer, type Server, type Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import { ContextloomError, type ErrorCode, isContextloomError } from '@contextloom/contracts';
import type { DocumentStore, ExportedDocument } from '../../../domain/store.ts';

/** Bytes of the length that stands before each message. */
const HEAD = 4;

/** Sends a message: its length, and then itself as Node's structured clone writes it, with maps and typed arrays. */
function sendFrame(socket: Socket, message: unknown): void {
  const body = serialize(message);
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(body.length);
  socket.cork();
  socket.write(head);
  socket.write(body);
  socket.uncork();
}

/** Calls back with each message of a socket; its pieces are joined once it is whole. */
function readFrames(socket: Socket, onMessage: (message: unknown) => void): void {
  let pieces: Buffer[] = [];
  let size = 0;
  let wanted = HEAD;
  let isHead = true;
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    while (size >= wanted) {
      const all = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
      const part = all.subarray(0, wanted);
      pieces = [all.subarray(wanted)];
      size -= wanted;
      wanted = isHead ? part.readUInt32BE() : HEAD;
      if (!isHead) onMessage(deserialize(part));
      isHead = !isHead;
    }
  });
}

/*
 * The process that writes to a store listens at a socket in its own folder, which nobody else's processes can open. Others of
 * this machine over the same folder answer through it: a call of theirs is one message there, and the outcome one back.
 */

/** What a process learns at once by the one that it answers through. */
export interface Greeting {
  readonly holder: string;
  /** What fills the store. */
  readonly fingerprint: string;
}

/** Calls that go through as they are. */
const passed = [
  'check',
  'put',
  'replace',
  'remove',
  'read',
  'find',
  'list',
  'stats',
  'owners',
  'restore',
  'forget',
  'indexState',
  'flush',
] as const;
type Passed = (typeof passed)[number];

interface Call {
  readonly id: number;
  readonly method: Passed | 'scan' | 'next' | 'return';
  readonly args: readonly unknown[];
}
type Outcome =
  | { readonly value: unknown }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly field?: string | undefined } };
type Reply = { readonly id: number } & Outcome;

async function toOutcome(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!isContextloomError(error)) return { error: { code: 'internal', message: 'the call failed' } };
    const { code, message, field } = error;
    return { error: { code, message, field } };
  }
}

/** Answers the calls of one process, with the scans that it has begun. */
function answer(socket: Socket, readStore: () => DocumentStore | undefined): void {
  const scans = new Map<number, AsyncIterator<readonly ExportedDocument[]>>();
  const run = async ({ id, method, args }: Call): Promise<unknown> => {
    const store = readStore();
    if (store === undefined) throw new ContextloomError('unavailable', 'the store is closed');
    if (method === 'scan') return void scans.set(id, store.scan(Number(args[0]))[Symbol.asyncIterator]());
    if (method === 'next') return scans.get(Number(args[0]))?.next();
    if (method === 'return') return void scans.delete(Number(args[0]));
    return Reflect.apply(store[method], store, args);
  };
  readFrames(socket, (message) => {
    const call = message as Call;
    void toOutcome(() => run(call)).then(
      (outcome) => socket.writable && sendFrame(socket, { id: call.id, ...outcome }),
    );
  });
}

/** What a relay is made of. */
export interface RelayOptions {
  readonly path: string;
  readonly greeting: Greeting;
  readonly log: { warn(fields: object, message: string): void };
}

/** The socket at which others are answered. */
export interface Relay {
  /** Names the store that answers. */
  attach(store: DocumentStore): void;
  /** Listens, if it does not yet. */
  listen(): void;
  close(): Promise<void>;
}

/** Begins without listening. */
export function createRelay({ path, greeting, log }: RelayOptions): Relay {
  let store: DocumentStore | undefined;
  let server: Server | undefined;
  const sockets = new Set<Socket>();
  const start = (): Server => {
    const listening = createServer((socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.on('error', () => socket.destroy());
      sendFrame(socket, greeting);
      answer(socket, () => store);
    });
    // The path may be too long for a socket.
    listening.on('error', (cause) => log.warn({ cause }, 'no other process can answer through this one'));
    return listening.listen(path).unref();
  };
  return {
    attach: (next) => {
      store = next;
    },
    listen: () => {
      server ??= start();
    },
    close: async () => {
      store = undefined;
      const listening = server;
      if (listening === undefined) return;
      const closed = new Promise<void>((resolve) => listening.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A line to the process that writes to a store. */
interface Line {
  readonly greeting: Greeting;
  ask(method: Call['method'], args: readonly unknown[]): Promise<{ readonly id: number; readonly value: unknown }>;
  isOpen(): boolean;
  close(): void;
}

function createAsk(
  socket: Socket,
  waiting: Map<number, (reply: Reply | undefined) => void>,
  holder: string,
): Line['ask'] {
  const lost = () => new ContextloomError('unavailable', `${holder}, which this process answers through, has ended`);
  let calls = 0;
  return async (method, args) => {
    calls += 1;
    const id = calls;
    if (socket.destroyed) throw lost();
    const reply = await new Promise<Reply | undefined>((resolve) => {
      waiting.set(id, resolve);
      sendFrame(socket, { id, method, args } satisfies Call);
    });
    if (reply === undefined) throw lost();
    if ('value' in reply) return reply;
    const { code, message, field } = reply.error;
    throw new ContextloomError(code, message, field === undefined ? {} : { field });
  };
}

async function dial(path: string): Promise<Line | undefined> {
  const socket = connect(path);
  const waiting = new Map<number, (reply: Reply | undefined) => void>();
  socket.on('error', () => socket.destroy()); // Nobody listens there, or no more.
  const greeting = await new Promise<Greeting | undefined>((resolve) => {
    socket.once('close', () => {
      resolve(undefined);
      for (const end of waiting.values()) end(undefined);
    });
    readFrames(socket, (message) => {
      const reply = message as Reply | Greeting;
      if ('holder' in reply) return resolve(reply);
      waiting.get(reply.id)?.(reply);
      waiting.delete(reply.id);
    });
  });
  if (greeting === undefined) return undefined;
  const ask = createAsk(socket, waiting, greeting.holder);
  return { greeting, ask, isOpen: () => !socket.destroyed, close: () => void socket.destroy() };
}

/**
 * Connects to the process that writes to a store, where it listens at a socket of this machine; undefined where nobody does.
 */
export async function connectToWriter(
  path: string,
): Promise<{ readonly store: DocumentStore; readonly greeting: Greeting } | undefined> {
  const line = await dial(path);
  if (line === undefined) return undefined;
  const { greeting, ask } = line;
  const through = Object.fromEntries(
    passed.map((method) => [method, async (...args: readonly unknown[]) => (await ask(method, args)).value]),
  ) as unknown as Pick<DocumentStore, Passed>;
  const store: DocumentStore = {
    kind: 'chroma',
    ...through,
    scan: async function* scan(batch) {
      const { id } = await ask('scan', [batch]);
      try {
        for (;;) {
          const next = (await ask('next', [id])).value as IteratorResult<readonly ExportedDocument[]>;
          if (next.done === true) return;
          yield next.value;
        }
      } finally {
        if (line.isOpen()) await ask('return', [id]);
      }
    },
    rebuild: async () => {
      throw new ContextloomError('conflict', `${greeting.holder} writes to the store: rebuild its index there`);
    },
    // The writer makes them.
    embedWaiting: async () => 0,
    upgradeProgress: () => undefined,
    close: async () => line.close(),
  };
  return { store, greeting };
}
