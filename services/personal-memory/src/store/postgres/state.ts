import type { Sql } from '../sql/sql.ts';

/**
 * What the table `state` says by name: the `fingerprint` of what derives the index, whether it is being derived again (`unfinished`), and the
 * place whose memories are being moved in (`takeover`).
 */
type StateName = 'fingerprint' | 'unfinished' | 'takeover';

/** Reads a value; with `lock`, nobody changes it before the transaction ends. */
export async function readState({ query }: Sql, name: StateName, lock = ''): Promise<string | undefined> {
  const [row] = await query<{ value: string }>(`SELECT value FROM state WHERE name = ? ${lock}`, [name]);
  return row?.value;
}

/** Writes a value, or removes it. */
export async function writeState({ query }: Sql, name: StateName, value: string | undefined): Promise<void> {
  if (value === undefined) await query('DELETE FROM state WHERE name = ?', [name]);
  else {
    await query('INSERT INTO state VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', [
      name,
      value,
    ]);
  }
}
