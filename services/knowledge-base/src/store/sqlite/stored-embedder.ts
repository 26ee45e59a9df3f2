import { existsSync } from 'node:fs';
import { openDatabase, withStorageErrors } from '@contextloom/sqlite';
import type { EmbedderIdentity } from '../../domain/store.ts';
import { toEmbedder } from '../fingerprint.ts';
import { INDEXED, migrations } from './schema.ts';

/**
 * Which embedder filled the store of a file; undefined for a store that is missing or empty.
 * @throws ContextloomError `unavailable` when the file cannot be used
 */
export function readStoredEmbedder(file: string): EmbedderIdentity | undefined {
  if (!existsSync(file)) return undefined;
  const database = openDatabase({ file, migrations });
  try {
    const sql = `SELECT value FROM ${INDEXED.name}_state WHERE name = 'fingerprint' AND EXISTS (SELECT 1 FROM documents)`;
    const fingerprint = withStorageErrors(() => database.prepare<[], string>(sql).pluck().get());
    return fingerprint === undefined ? undefined : toEmbedder(fingerprint);
  } finally {
    database.close();
  }
}
