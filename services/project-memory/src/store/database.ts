/** One row, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs statements of the SQL that both engines know; parameters are `$1`, `$2`, …. */
export interface Sql {
  readonly query: <T extends object = Row>(text: string, parameters?: readonly unknown[]) => Promise<readonly T[]>;
}

/** A database of either engine. What a transaction has returned is durable. */
export interface SqlDatabase extends Sql {
  readonly engine: 'pglite' | 'postgres';
  /** Runs several statements without parameters. */
  readonly run: (text: string) => Promise<void>;
  /** Commits what the work did unless it throws. */
  readonly transaction: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}
