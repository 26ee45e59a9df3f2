import type { OpenTransaction } from '@contextloom/postgres';

/** One transaction. */
export interface Transaction extends Pick<OpenTransaction, 'query' | 'end'> {
  /** What derived the index, as of its beginning; an empty text before anything did. */
  readonly fingerprint: string;
}

/** What is done in one transaction. */
export type Work<T> = (sql: Transaction) => Promise<T>;

/** The last statement that every transaction begins with. */
export const FINGERPRINT = "SELECT value AS fingerprint FROM state WHERE name = 'fingerprint'";

/** An open transaction with what {@link FINGERPRINT} found. */
export function toTransaction({ first, query, end }: OpenTransaction): Transaction {
  return { query, end, fingerprint: String(Object(first).fingerprint ?? '') };
}
