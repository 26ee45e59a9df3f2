import type { ConnectOptions } from '@modelcontextprotocol/client';
import { type Connection, type ConnectionOptions, openConnection, ping } from './connection.ts';
import type { Lease } from './connection-pool.ts';

/** How long a server that missed a deadline may take to answer a ping, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Keeps one connection per server: opened at first need, kept, and opened again at the next need after it died. */
export interface ReconnectingConnection {
  readonly get: () => Promise<Connection>;
  /** Whether there is a connection now, as far as is known. */
  readonly isOpen: () => boolean;
  /** Does work on a connection, and notes that it is under way. */
  readonly run: <T>(connection: Connection, work: () => Promise<T>) => Promise<T>;
  /** Gives up a connection that turned out to be dead: over HTTP nothing else tells. */
  readonly drop: (connection: Connection) => Promise<void>;
  /** Uses a connection for nothing new, and closes it when what is under way on it has ended. */
  readonly retire: (connection: Connection) => void;
  /** Retires the connection that there is, and waits until it is closed. */
  readonly restart: () => Promise<void>;
  /** Pings the server behind an open connection. @throws the ping's error where none comes back, and drops the connection */
  readonly check: (onOpen: (connection: Connection) => void) => Promise<void>;
  /** Closes it once what is under way has ended. Never rejects. */
  readonly end: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Makes the keeper of one server's connection; nothing is started yet. */
export function createReconnectingConnection(options: ConnectionOptions): ReconnectingConnection {
  const { name, log } = options;
  const underWay = new WeakMap<Connection, Set<Promise<unknown>>>();
  const leaving = new Set<Promise<void>>();
  let checking: Promise<void> | undefined;
  let current: Promise<Connection> | undefined;
  let opened: Connection | undefined;
  const closing = new AbortController();
  // Which era a server speaks is learnt once: over stdio, asking costs a process.
  let prior: ConnectOptions['prior'];
  let lease: Lease | undefined;

  function start(): Promise<Connection> {
    lease = options.pool?.connections.lease({
      owner: options.pool.owner,
      isBusy: () => opened === undefined || (underWay.get(opened)?.size ?? 0) > 0,
      close: () => {
        log.info({ server: name }, 'an idle connection is closed to make room');
        if (opened !== undefined) retire(opened);
      },
    });
    const onClose = (): void => {
      if (current !== opening) return;
      forget();
      if (closing.signal.aborted) return;
      options.reach?.note(name, false);
      log.warn({ server: name }, 'connection lost; the next call starts it again');
    };
    const opening = openConnection(options, { prior, signal: closing.signal, onClose });
    opening.then(
      (connection) => {
        opened = connection;
        options.reach?.note(name, true);
        const discover = connection.client.getDiscoverResult();
        prior = discover === undefined ? undefined : { kind: 'modern', discover };
      },
      (cause: unknown) => {
        if (current === opening) forget();
        prior = undefined;
        if (!closing.signal.aborted) options.reach?.note(name, false);
        log.warn({ server: name, cause }, 'server could not be reached');
      },
    );
    return opening;
  }

  function forget(): void {
    opened = undefined;
    current = undefined;
    lease?.release();
    lease = undefined;
  }

  function detach(connection: Connection): boolean {
    if (opened !== connection) return false;
    forget();
    return true;
  }

  function retire(connection: Connection): void {
    if (!detach(connection)) return;
    // A call that has just got the connection is under way in a moment.
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    void leave(turn.then(() => Promise.allSettled(underWay.get(connection) ?? [])).then(() => connection.close()));
  }

  /** Whoever closes everything waits for connections that are on their way out, too: a process is behind some. */
  async function leave(end: Promise<void>): Promise<void> {
    leaving.add(end);
    try {
      await end;
    } finally {
      leaving.delete(end);
    }
  }

  async function close(): Promise<void> {
    closing.abort();
    const opening = current;
    forget();
    await opening?.then(
      (connection) => connection.close(),
      () => undefined, // it never opened, and start() logged why
    );
    await Promise.all(leaving);
  }

  return {
    get: () => {
      if (closing.signal.aborted) return Promise.reject(new Error('the connection was closed'));
      try {
        current ??= start();
      } catch (error) {
        return Promise.reject(error);
      }
      return current;
    },
    isOpen: () => opened !== undefined,
    run: async (connection, work) => {
      const all = underWay.get(connection) ?? new Set();
      underWay.set(connection, all);
      if (connection === opened) lease?.touch();
      const running = work();
      all.add(running);
      try {
        return await running;
      } finally {
        all.delete(running);
      }
    },
    drop: async (connection) => {
      if (!detach(connection)) return;
      options.reach?.note(name, false);
      await leave(connection.close());
    },
    retire,
    restart: async () => {
      if (opened !== undefined) retire(opened);
      await Promise.all(leaving);
    },
    check: async (onOpen) => {
      const connection = opened;
      if (connection === undefined) return;
      onOpen(connection);
      checking ??= ping(connection.client, { timeout: PATIENCE_MS }).finally(() => {
        checking = undefined;
      });
      try {
        await checking;
      } catch (cause) {
        if (!detach(connection)) return;
        options.reach?.note(name, false);
        log.warn({ server: name, cause }, 'no answer any more; the next call starts it again');
        await leave(connection.close());
        throw cause;
      }
    },
    end: async () => {
      await current?.then(
        (connection) => Promise.allSettled(underWay.get(connection) ?? []),
        () => undefined, // it never opened, and start() logged why
      );
      await close().catch((cause: unknown) => log.warn({ server: name, cause }, 'closing failed'));
    },
    close,
  };
}
