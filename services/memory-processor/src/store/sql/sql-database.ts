import type { Unreached } from '@contextloom/contracts';

/** A value as a statement takes it. */
export type Parameter = string | number | null;

type RunStatement = <Row extends object>(text: string, parameters?: readonly Parameter[]) => Promise<readonly Row[]>;

/** A database that keeps jobs or imports, the same statements in both engines. A statement that has returned is durable. */
export interface SqlDatabase {
  /** Runs one statement of its own transaction; parameters are `$1`, `$2`, …. */
  readonly query: RunStatement;
  /** Runs statements for one user, or for all without one: Postgres shows them no rows of others, whatever they say. */
  readonly of: (userId: string | undefined) => RunStatement;
  /** The time in milliseconds since 1970, as an expression: all processes go by the clock of the database. */
  readonly now: string;
  /** What ends the selection of a row that is changed next, so that another worker passes over it. */
  readonly lock: string;
  /** The column that counts rows in the order in which they came. */
  readonly order: 'rowid' | 'seq';
  /** Whether an error says that a row would be there twice. */
  readonly isDuplicate: (error: unknown) => boolean;
  /** Overwrites what deleted rows of tables left in the files; answers what it could not reach. */
  readonly erase: (tables: readonly string[]) => Promise<readonly Unreached[]>;
  readonly close: () => Promise<void>;
}
