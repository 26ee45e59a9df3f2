import { ContextloomError } from '@contextloom/contracts';
import type { Database } from '../../database/open-database.ts';
import type { IndexDefinition } from './schema.ts';

/**
 * What an index is to the program as it is configured: its own; its own or another's, with a rebuild for its own that was
 * interrupted; or of no use, since something else derived it.
 */
export type IndexState = 'own' | 'unfinished' | 'useless';

/** Makes the error of an index that was derived by something else, from both fingerprints. */
export type ToMismatchError = (found: string, own: string) => ContextloomError;

const toPlainMismatchError: ToMismatchError = (found, own) =>
  new ContextloomError(
    'unavailable',
    `the index was made by ${found}, and this program makes it by ${own}: rebuild it`,
  );

/** The record of what derived an index. Every use asks it, since another process may have rebuilt the index. */
export interface FingerprintRecord {
  /** Whether this program, as configured, derived the index; claims the index of an empty table. */
  claim(): boolean;
  /** Whether this program, as configured, derived the index. */
  isOwn(): boolean;
  /** @throws ContextloomError `unavailable` when neither it nor an earlier version that is named did */
  check(): void;
  state(): IndexState;
  /** A number that changes when the index is swapped for another. */
  generation(): number;
  /** Notes that the entries next to those in use are derived by this program; `false` that there are none. */
  writeNext(isNext: boolean): void;
  isNext(): boolean;
  /** Notes that another index is in use, derived by this program. */
  writeSwapped(): void;
}

/** The fingerprint in the tables of an index; undefined for an empty one. */
export function readFingerprint(database: Database, { name }: Pick<IndexDefinition, 'name'>): string | undefined {
  return database.prepare<[], string>(`SELECT value FROM ${name}_state WHERE name = 'fingerprint'`).pluck().get();
}

/** Builds the record of an index. */
export function createFingerprintRecord(
  database: Database,
  { name, table, fingerprint: own, earlier = [] }: IndexDefinition,
  toMismatchError: ToMismatchError = toPlainMismatchError,
): FingerprintRecord {
  const read = database.prepare<[string], string | number>(`SELECT value FROM ${name}_state WHERE name = ?`).pluck();
  const save = database.prepare<[string, string | number]>(`INSERT OR REPLACE INTO ${name}_state VALUES (?, ?)`);
  const forget = database.prepare<[string]>(`DELETE FROM ${name}_state WHERE name = ?`);
  const isEmpty = database.prepare<[], number>(`SELECT NOT EXISTS (SELECT 1 FROM ${table.name})`).pluck();
  const isNext = (): boolean => read.get('next_fingerprint') === own;
  const isOwn = (): boolean => read.get('fingerprint') === own;
  const generation = (): number => Number(read.get('generation') ?? 0);
  return {
    claim: () => {
      if (isEmpty.get() === 1) save.run('fingerprint', own);
      return isOwn();
    },
    isOwn,
    check: () => {
      const found = String(read.get('fingerprint') ?? '[]');
      if (found !== own && !earlier.includes(found)) throw toMismatchError(found, own);
    },
    state: () => {
      if (isNext()) return 'unfinished';
      return isOwn() ? 'own' : 'useless';
    },
    generation,
    isNext,
    writeNext: (next) => {
      if (next) save.run('next_fingerprint', own);
      else forget.run('next_fingerprint');
    },
    writeSwapped: () => {
      save.run('fingerprint', own);
      save.run('generation', generation() + 1);
    },
  };
}
