import { type OwnedDatabase, openOwnedDatabase } from '@contextloom/postgres';
import type { Log } from '@contextloom/runtime';
import type { Visibility } from '../../domain/store.ts';
import { documentRole, documentSchema, FIRST, OWNERS } from './schema.ts';
import { FINGERPRINT, type Transaction, toTransaction, type Work } from './transaction.ts';

/** Documents in Postgres. Whatever a statement says, the database shows a transaction the rows of its owners alone. */
export interface DocumentDatabase extends Pick<OwnedDatabase<Transaction>, 'run' | 'isOpen' | 'close'> {
  /** Reads one state of the rows that a call may see. */
  readonly read: <T>(visible: Visibility, work: Work<T>) => Promise<T>;
  /** Changes rows of everybody, all or none; begins again where another change came in between. */
  readonly write: <T>(work: Work<T>, lock?: 'ROW EXCLUSIVE' | 'SHARE ROW EXCLUSIVE') => Promise<T>;
  /** Works while no other process does the same, as long as the connection lasts; undefined where another does, unless it waits. */
  readonly alone: <T>(what: keyof typeof LOCKS, work: () => Promise<T>, waits?: boolean) => Promise<T | undefined>;
}

/** The advisory locks of what one process does at a time: making the index again, moving documents in. */
const LOCKS = { rebuild: 4_117_222, takeover: 4_117_223 } as const;

const toOwners = (visible: Visibility): string => (visible.kind === 'everyone' ? '*' : visible.owners.join('\n'));

/** Where the documents are. */
export interface OpenDocumentDatabaseOptions {
  readonly url: string;
  readonly log: Log;
}

/**
 * Opens the documents of a Postgres database, in a schema of their own, which is made when missing.
 * @throws ContextloomError `unavailable` for a database that cannot be reached, or has a newer schema
 */
export async function openDocumentDatabase({ url, log }: OpenDocumentDatabaseOptions): Promise<DocumentDatabase> {
  const database = await openOwnedDatabase({
    url,
    application: 'contextloom-knowledge-base',
    log,
    schema: documentSchema,
    first: FIRST,
    role: documentRole,
    owners: OWNERS,
    without: 'set KB_STORE=embedded to keep the documents in KB_DATA_DIR',
    last: FINGERPRINT,
    toSql: toTransaction,
  });
  return {
    ...database,
    read: (visible, work) => database.read(toOwners(visible), work),
    write: (work, lock = 'ROW EXCLUSIVE') => database.write('*', `LOCK TABLE documents IN ${lock} MODE;`, work),
    alone: (what, work, waits = false) => database.alone(LOCKS[what], waits, work),
  };
}
