import { parseStoredJson } from '@contextloom/sqlite';

/** A value of a parameter. */
export type Value = string | number | Uint8Array | null | readonly (string | number | null)[];

/** A part of a statement with its parameters, a `?` for each. */
export interface StatementPart {
  readonly sql: string;
  readonly params: readonly Value[];
}

/** What the engines write in different words. */
export interface Dialect {
  /** The condition that a column is one of some values. */
  readonly isIn: (column: string, values: readonly string[] | readonly number[]) => StatementPart;
  /** The condition that a column of tags, a list as JSON, has one. */
  readonly hasTag: (column: string, tag: string) => StatementPart;
  /** The column that takes the number of a row; `number` is the one to read. */
  readonly numberColumn: string;
  /** The column `v` of a query as one value, in its order: see {@link toList}. */
  readonly collect: (query: string) => string;
}

/** Runs statements that both engines take, of one user and in one transaction where they change something. */
export interface Sql {
  readonly dialect: Dialect;
  /** When the first memory of its user ended or ends, in epoch milliseconds, as it began; infinite for none, absent where nobody asked. */
  readonly firstEnd?: number | undefined;
  readonly query: <Row extends object>(text: string, params?: readonly Value[]) => Promise<readonly Row[]>;
}

/** What {@link Dialect.collect} collected. */
export function toList<T>(collected: string | readonly T[]): readonly T[] {
  return typeof collected === 'string' ? parseStoredJson<readonly T[]>(collected) : collected;
}

/** More rows than anybody has: a page without a limit. */
export const EVERYTHING = Number.MAX_SAFE_INTEGER;
