import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import { ContextloomError } from '@contextloom/contracts';
import { requireOwnWriting, toFileError } from '@contextloom/runtime';
import { parseKeyFile, type StoredKey } from './stored-key.ts';

/** Where the keys of an installation are. */
export interface KeySource {
  /** The keys as far as they are known; undefined where none was ever made. @throws ContextloomError `unavailable` where they cannot be read */
  readonly read: () => readonly StoredKey[] | undefined;
  /** Awaited before keys decide: what was changed elsewhere counts within a second. @throws ContextloomError `unavailable`, as `read` does */
  readonly refresh?: () => Promise<void>;
}

/** Keys that are kept elsewhere than in the file. */
export interface KeyStore extends KeySource {
  readonly list: () => Promise<readonly StoredKey[]>;
  /** Changes them, one caller after the other. */
  readonly change: (toKeys: (keys: readonly StoredKey[]) => readonly StoredKey[]) => Promise<void>;
}

/** A caller does not learn what is wrong with the keys, and where they lie. */
export const toUnreadable = (cause: unknown): ContextloomError =>
  new ContextloomError('unavailable', 'the keys of this server cannot be read; its log says why', { cause });

/** Of the file that a link leads to; another mode makes another stamp. */
const stampOf = ({ mtimeNs, ctimeNs, size, ino }: BigIntStats): string => `${mtimeNs} ${ctimeNs} ${size} ${ino}`;

/** Reads the file of keys again whenever it changes. */
export function createKeyFileSource(file: string): KeySource {
  let stamp = '';
  let keys: readonly StoredKey[] | undefined;
  return {
    read: () => {
      const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
      const now = stats === undefined ? 'absent' : stampOf(stats);
      if (now === stamp) return keys;
      keys = stats === undefined ? undefined : readKeyFile(file, Number(stats.mode));
      stamp = now;
      return keys;
    },
  };
}

function readKeyFile(file: string, mode: number): readonly StoredKey[] {
  try {
    requireOwnWriting(file, mode);
    return parseKeyFile(readFileSync(file, 'utf8'), file);
  } catch (error) {
    throw toUnreadable(toFileError(error, file, 'read'));
  }
}
