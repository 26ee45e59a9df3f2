import { ContextloomError } from '@contextloom/contracts';
import type { Row, Sql, SqlDatabase } from '../../database.ts';
import type { EndMessage } from './messages.ts';

/** A client that stops in the middle of a transaction keeps all others waiting; after so many milliseconds it is rolled back. */
const IDLE_MS = 20_000;

interface OpenTransaction {
  readonly sql: Sql;
  readonly commit: () => void;
  readonly rollBack: (reason: ContextloomError) => void;
  /** Settles when the database has committed or rolled back. */
  readonly ended: Promise<void>;
  idle: NodeJS.Timeout;
}

/** The transactions of one client. */
export interface ServedTransactions {
  /** Answers the number of a new one. */
  readonly begin: () => Promise<number>;
  readonly query: (transaction: number, text: string, parameters: readonly unknown[]) => Promise<readonly Row[]>;
  readonly end: (message: EndMessage) => Promise<void>;
  /** Rolls back what the client left open; begins no more. */
  readonly close: () => void;
}

const lost = (message: string): ContextloomError => new ContextloomError('unavailable', message);

/** Keeps the transactions of one client open between its messages. */
export function createServedTransactions(
  database: Pick<SqlDatabase, 'transaction'>,
  idleMs: number = IDLE_MS,
): ServedTransactions {
  const open = new Map<number, OpenTransaction>();
  let last = 0;
  let isClosed = false;
  const startIdle = ({ rollBack }: Pick<OpenTransaction, 'rollBack'>): NodeJS.Timeout =>
    setTimeout(() => rollBack(lost('a transaction stood still for too long and was rolled back')), idleMs).unref();
  const find = (id: number): OpenTransaction => {
    const found = open.get(id);
    if (found === undefined) throw lost('the transaction has ended');
    return found;
  };

  /** Holds the database's transaction open until the client ends it. */
  const hold = (id: number, sql: Sql, ended: Promise<void>, onOpen: (id: number) => void): Promise<void> =>
    new Promise((commit, rollBack) => {
      if (isClosed) return rollBack(lost('the client is gone'));
      open.set(id, { sql, commit, rollBack, ended, idle: startIdle({ rollBack }) });
      onOpen(id);
    });

  return {
    begin: () =>
      new Promise((resolve, reject) => {
        last += 1;
        const id = last;
        const ended: Promise<void> = database.transaction((sql) => hold(id, sql, ended, resolve));
        ended.catch(reject).finally(() => {
          clearTimeout(open.get(id)?.idle);
          open.delete(id);
        });
      }),
    query: async (id, text, parameters) => {
      const transaction = find(id);
      clearTimeout(transaction.idle);
      try {
        return await transaction.sql.query(text, parameters);
      } finally {
        if (open.has(id)) transaction.idle = startIdle(transaction);
      }
    },
    end: async ({ transaction: id, outcome }) => {
      const { commit, rollBack, ended } = find(id);
      if (outcome === 'commit') commit();
      else rollBack(lost('rolled back'));
      // A rollback rejects with the reason that was just given.
      await (outcome === 'commit' ? ended : ended.catch(() => undefined));
    },
    close: () => {
      isClosed = true;
      for (const { rollBack } of open.values()) rollBack(lost('the client is gone'));
    },
  };
}
