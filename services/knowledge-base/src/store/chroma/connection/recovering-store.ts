import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { withDeadline } from '@contextloom/runtime/scheduling';
import type { DocumentStore, ExportedDocument } from '../../../domain/store.ts';
import { type Connection, createConnection } from './connection.ts';

/** How a store behind a network is reached. */
export interface RecoveringStoreOptions {
  readonly kind: DocumentStore['kind'];
  /** What the store is called in errors, such as `Chroma at http://127.0.0.1:8001`. */
  readonly name: string;
  /** Makes the store ready for use; its checks run again after every loss. */
  readonly open: () => Promise<DocumentStore>;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** How far an opening is that takes long, for the error of a call that does not wait for its end. */
  readonly readProgress?: () => string | undefined;
  /** How long a call waits for the store to be opened, in milliseconds; the opening itself goes on. */
  readonly openWaitMs?: number;
  /** How long one opening may take before it counts as lost, in milliseconds. */
  readonly openMs?: number;
  /** How long a call may take once the store is open, in milliseconds; a rebuild takes as long as it takes. */
  readonly callMs?: number;
  /** How long a store that is closed waits for the calls that still use it, in milliseconds. */
  readonly graceMs?: number;
}

const OPEN_WAIT_MS = 10_000;
/** A check waits for less, so that it can say the reason before those who ask for it have given up. */
const CHECK_WAIT_MS = 1_500;
/** An opening may have to finish what a killed server left half done, over many rows. */
const OPEN_MS = 60_000;
const CALL_MS = 30_000;
const GRACE_MS = 1_000;

const UNKNOWN_EFFECT = '; whether the change took effect is not known';

const isLoss = (error: unknown): boolean =>
  isContextloomError(error) && (error.code === 'unavailable' || error.code === 'timeout');

/**
 * Builds a store over one that comes and goes: it is opened at the first call, and again at the next call after one said
 * that it is gone. Meanwhile calls reject with `unavailable` and the reason.
 */
export function createRecoveringStore(options: RecoveringStoreOptions): DocumentStore {
  const {
    kind,
    name,
    open,
    log,
    openWaitMs = OPEN_WAIT_MS,
    openMs = OPEN_MS,
    callMs = CALL_MS,
    graceMs = GRACE_MS,
    readProgress,
  } = options;
  const lateBy = (ms: number, what: string) => (): ContextloomError =>
    new ContextloomError('unavailable', `${name} ${what} within ${ms / 1_000} s`);

  const notYetOpen = (ms: number) => (): ContextloomError => {
    const progress = readProgress?.();
    const rest = progress === undefined ? '' : `: ${progress}`;
    return new ContextloomError('unavailable', `${name} did not answer within ${ms / 1_000} s${rest}`);
  };

  let current: Connection | undefined;
  /** All that are not closed, as far as is known: a hanging one is cut off when the store is closed. */
  const connections = new Set<Connection>();
  /** The store that was opened last. */
  let opened: DocumentStore | undefined;
  let isClosed = false;
  let isLost = false;

  function lose(connection: Connection, cause: unknown): void {
    if (current !== connection) return; // Another call said so first.
    current = undefined;
    // What is under way may still come to its end: one call's bad luck is no reason to cut the others off.
    connection.retire(callMs, () => connections.delete(connection));
    if (!isLost) log.warn({ cause }, `${name} cannot be used; every call tries again`);
    isLost = true;
  }

  function connect(): Connection {
    if (isClosed) throw new ContextloomError('unavailable', 'the store is closed');
    const onCloseFailed = (cause: unknown): void => log.warn({ cause }, `${name}: closing failed`);
    const toLate = lateBy(openMs, 'could not be opened');
    const connection = createConnection({ open, openMs, toLate, onCloseFailed });
    const onOpen = (store: DocumentStore): void => {
      opened = store;
      if (isLost) log.info({}, `${name} can be used again`);
      isLost = false;
    };
    connections.add(connection);
    connection.opened.then(onOpen, (cause: unknown) => lose(connection, cause));
    return connection;
  }

  async function use<T>(
    work: (store: DocumentStore) => Promise<T>,
    { ms = callMs, note = '', waitMs = openWaitMs } = {},
  ): Promise<T> {
    current ??= connect();
    const connection = current;
    const store = await withDeadline(connection.opened, waitMs, notYetOpen(waitMs));
    try {
      return await withDeadline(
        connection.lend(() => work(store), ms === Number.POSITIVE_INFINITY ? 'long' : 'short'),
        ms,
        () => new ContextloomError('unavailable', `${name} did not answer within ${ms / 1_000} s${note}`),
      );
    } catch (error) {
      if (isLoss(error)) lose(connection, error);
      throw error;
    }
  }

  /** Each batch is a call of its own: a reader may take its time between two. */
  async function* scan(batch: number): AsyncGenerator<readonly ExportedDocument[]> {
    const batches = await use(async (store) => store.scan(batch)[Symbol.asyncIterator]());
    for (;;) {
      const { done, value } = await use(() => batches.next());
      if (done === true) return;
      yield value;
    }
  }

  return {
    kind,
    check: () => use((store) => store.check(), { waitMs: Math.min(openWaitMs, CHECK_WAIT_MS) }),
    put: (writes, at) => use((store) => store.put(writes, at), { note: UNKNOWN_EFFECT }),
    replace: (revision, write, at) => use((store) => store.replace(revision, write, at), { note: UNKNOWN_EFFECT }),
    remove: (revision) => use((store) => store.remove(revision), { note: UNKNOWN_EFFECT }),
    read: (ids, selection) => use((store) => store.read(ids, selection)),
    find: (query, selection, limit) => use((store) => store.find(query, selection, limit)),
    list: (selection, page) => use((store) => store.list(selection, page)),
    stats: (visible) => use((store) => store.stats(visible)),
    owners: () => use((store) => store.owners()),
    restore: (writes) => use((store) => store.restore(writes), { note: UNKNOWN_EFFECT }),
    scan: (batch) => scan(batch),
    rebuild: (derive, how) => use((store) => store.rebuild(derive, how), { ms: Number.POSITIVE_INFINITY }),
    embedWaiting: (embed) => use((store) => store.embedWaiting(embed), { ms: Number.POSITIVE_INFINITY }),
    forget: (owner, isDryRun) =>
      use((store) => store.forget(owner, isDryRun), { ms: Number.POSITIVE_INFINITY, note: UNKNOWN_EFFECT }),
    indexState: () => use((store) => store.indexState()),
    upgradeProgress: () => opened?.upgradeProgress(),
    flush: () => use((store) => store.flush()),
    close: async () => {
      isClosed = true;
      current = undefined;
      await Promise.all([...connections].map((connection) => connection.end(graceMs)));
    },
  };
}
