import { ContextloomError } from '@contextloom/contracts';
import type { Candidate, IngestChange, MemoryStore } from '../domain/store.ts';
import type { PrepareOptions } from './space.ts';

/** One row, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** What names a project inside one database: a UUID in Postgres, a number in SQLite. */
export type ProjectId = string | number;

/** How a vector is stored: as Postgres writes an array, or as the bytes of 32-bit floats. */
export type StoredVector = string | Uint8Array;

/** The parts of a statement in which the engines differ. `n` is the number of a parameter. */
export interface Dialect {
  /** Whether a column has one of the values of a list; ids of projects are of a type of their own. */
  readonly oneOf: (column: string, n: number, type?: 'text' | 'project') => string;
  /** A column of times as ISO 8601 in UTC; with microseconds, a time that is read in again is the same. */
  readonly iso: (column: string, digits: 'MS' | 'US') => string;
  /** A time, from a parameter that has it as ISO 8601. */
  readonly time: (n: number) => string;
  /** What ends a selection of rows that the transaction is going to change. */
  readonly lock: string;
  /** A column of vectors as {@link Dialect.toVector} takes it. */
  readonly vector: (column: string) => string;
  readonly toVector: (stored: StoredVector) => Float32Array;
  /** The words of a text as the column `tokens` takes them. */
  readonly toWords: (text: string) => string;
}

/** Runs statements; parameters are `$1`, `$2`, …: lists, vectors and booleans too. */
export interface Sql {
  readonly dialect: Dialect;
  readonly query: <T extends object = Row>(text: string, parameters?: readonly unknown[]) => Promise<readonly T[]>;
}

/** A database of either engine. What a transaction has returned is durable; outside of one, statements read. */
export interface SqlDatabase extends Sql {
  /** Commits what the work did unless it throws. */
  readonly transaction: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
  /**
   * The same for reading: what is still read when the signal is aborted ends, in the server too.
   * @throws ContextloomError `timeout`, from there on
   */
  readonly until: (signal: AbortSignal | undefined) => SqlDatabase;
  readonly close: () => Promise<void>;
}

/** Ends a reading that nobody waits for. @throws ContextloomError `timeout` once the signal is aborted */
export function requireCaller(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new ContextloomError('timeout', 'the caller waits no more', { cause: signal.reason });
}

/** What finds rows, which each engine does in its own way. */
export interface Finders extends Pick<MemoryStore, 'findByVector' | 'findByWords' | 'similar'> {
  /** How vectors are compared, as a check tells it; undefined where there is one way. */
  readonly comparison?: string;
  /** The memories of a project that are nearest to a new one, as far as they are near enough; inside a transaction. */
  readonly findNearest: (sql: Sql, change: IngestChange, projectId: ProjectId) => Promise<readonly Candidate[]>;
}

/** Where memories are kept: an engine with its database. */
export interface StoreEngine {
  readonly database: SqlDatabase;
  /** Where that is, as a check tells it. */
  readonly place: string;
  /**
   * Brings the database to the present schema, for vectors of one space.
   * @throws ContextloomError `unavailable` for a newer schema, `conflict` for vectors of another space
   */
  readonly prepare: (options: PrepareOptions) => Promise<Finders>;
  readonly forget: MemoryStore['forget'];
  /** What erases the bytes of deleted rows from files; absent where a server has them. */
  readonly erasing?: {
    /** Notes inside a transaction that it deletes what is to be erased. */
    readonly note: () => void;
    readonly eraseNoted: () => Promise<boolean>;
  };
}
