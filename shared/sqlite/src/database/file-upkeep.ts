import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { ContextloomError, type StoreUpkeep } from '@contextloom/contracts';
import { sizeOf } from '../files/empty-file.ts';
import type { Migration } from './migrate.ts';
import { openDatabase, openReadOnly } from './open-database.ts';

/** Databases of one schema, and what they keep. */
export interface FileStore {
  readonly store: string;
  /** Their file, or the folder of several. */
  readonly where: string;
  /** The files there are; only `where` unless told otherwise. */
  readonly list?: () => readonly string[];
  readonly migrations: readonly Migration[];
  readonly cipherKey?: string | undefined;
}

/** The first page of a file begins with these words, and has the version at this place. Source: SQLite, Database File Format, 1.3. */
const MAGIC = 'SQLite format 3\0';
const VERSION_AT = 60;

function readHeader(file: string): number {
  const bytes = Buffer.alloc(VERSION_AT + 4);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(descriptor);
  }
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new ContextloomError('unavailable', `${file} is no SQLite database, or is encrypted with another key`);
  }
  return bytes.readUInt32BE(VERSION_AT);
}

/** SQLite makes files beside one that it opens, even for reading: where there is no log yet, the version is read from the file itself. */
function readVersion(file: string, cipherKey: string | undefined): number {
  if (cipherKey === undefined && (sizeOf(`${file}-wal`) ?? 0) === 0) return readHeader(file);
  const database = openReadOnly(file, { cipherKey });
  try {
    return Number(database.pragma('user_version', { simple: true }));
  } finally {
    database.close();
  }
}

/** The upkeep of files; of several with different versions, the one that is told is a newer one, or the oldest. */
export function toFileUpkeep({ store, where, list, migrations, cipherKey }: FileStore): StoreUpkeep {
  const expected = migrations.length;
  const files = (): readonly string[] => list?.() ?? [where].filter((file) => existsSync(file));
  return {
    store,
    engine: 'sqlite',
    where,
    expected,
    find: async () => {
      const versions = files().map((file) => readVersion(file, cipherKey));
      return versions.find((version) => version > expected) ?? (versions.length === 0 ? 0 : Math.min(...versions));
    },
    migrate: async () => {
      for (const file of files()) openDatabase({ file, migrations, cipherKey }).close();
    },
  };
}
