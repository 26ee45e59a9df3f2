import type { IndexState } from '../../domain/store.ts';
import type { Transaction } from './transaction.ts';

/**
 * What the table `state` says by name: the index's `fingerprint`, that of a rebuild (`next`), the turn of the last `rebuild`, and the
 * place whose documents are being moved in (`takeover`).
 */
export type StateName = 'fingerprint' | 'next' | 'rebuild' | 'takeover';

/** Reads a value; with `lock`, nobody changes it before the transaction ends. */
export async function readState({ query }: Transaction, name: StateName, lock = ''): Promise<string | undefined> {
  const [row] = await query<{ value: string }>(`SELECT value FROM state WHERE name = ? ${lock}`, [name]);
  return row?.value;
}

/** Writes a value, or removes it. */
export async function writeState({ query }: Transaction, name: StateName, value: string | undefined): Promise<void> {
  if (value === undefined) await query('DELETE FROM state WHERE name = ?', [name]);
  else {
    await query('INSERT INTO state VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', [
      name,
      value,
    ]);
  }
}

/** What the index is to a program that derives it by `own`. */
export async function readIndexState(sql: Transaction, own: string): Promise<IndexState> {
  if ((await readState(sql, 'next')) === own) return 'unfinished';
  return sql.fingerprint === own ? 'own' : 'useless';
}

/** Takes the index of a store without documents; answers what derived that which there is. */
export async function claimIndex(sql: Transaction, own: string): Promise<string> {
  const [filled] = await sql.query('SELECT 1 FROM documents LIMIT 1');
  if (filled !== undefined || sql.fingerprint === own) return sql.fingerprint;
  await writeState(sql, 'fingerprint', own);
  return own;
}
