import { readFile, stat } from 'node:fs/promises';
import { ContextloomError } from '@contextloom/contracts';
import { requireOwnWriting, toFileError, updateFile } from '@contextloom/runtime';
import type { KeyStore } from './key-source.ts';
import { createKey, hashKey } from './keys.ts';
import { parseKeyFile, type StoredKey } from './stored-key.ts';

/** What changing keys needs. */
export interface KeyFileOptions {
  readonly file: string;
  /** Where they are instead, for servers on several machines. */
  readonly database?: Pick<KeyStore, 'list' | 'change'> | undefined;
  readonly clock: () => Date;
}

/** A key that was just made: shown once, and stored as a hash. */
export interface NewKey {
  readonly key: string;
  readonly stored: StoredKey;
}

/** What a key is for. */
export type KeyRequest = Omit<StoredKey, 'hash' | 'created_at'>;

const NAME = /^[\w.-]{1,64}$/;

/**
 * Lists the keys; none where there is no file.
 * @throws ContextloomError `invalid` for a file that holds something else or that others may change, `unavailable` for one that
 * cannot be read
 */
export async function listKeys({
  file,
  database,
}: Pick<KeyFileOptions, 'file' | 'database'>): Promise<readonly StoredKey[]> {
  if (database !== undefined) return database.list();
  try {
    const text = await readFile(file, 'utf8');
    requireOwnWriting(file, (await stat(file)).mode);
    return parseKeyFile(text, file);
  } catch (error) {
    if (isMissing(error)) return [];
    throw toFileError(error, file, 'read');
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Makes a key.
 * @throws ContextloomError `conflict` when the name is taken, `invalid` for an impossible one
 */
export async function addKey(request: KeyRequest, options: KeyFileOptions): Promise<NewKey> {
  if (!NAME.test(request.name)) {
    const message = 'the name of a key must be 1 to 64 letters, digits, ".", "_" or "-"';
    throw new ContextloomError('invalid', message, { field: 'name' });
  }
  const key = createKey();
  const stored = { ...request, hash: hashKey(key), created_at: options.clock().toISOString() };
  await change(options, (keys) => {
    if (keys.some(({ name }) => name === request.name)) {
      throw new ContextloomError('conflict', `there is a key "${request.name}" already: revoke or rotate it`);
    }
    return [...keys, stored];
  });
  return { key, stored };
}

/** Takes a key away. @throws ContextloomError `not_found` */
export async function revokeKey(name: string, options: KeyFileOptions): Promise<void> {
  await change(options, (keys) => {
    findNamed(keys, name);
    return keys.filter((key) => key.name !== name);
  });
}

/** Gives a key a new text, with the same rights; the old one ends. @throws ContextloomError `not_found` */
export async function rotateKey(name: string, options: KeyFileOptions): Promise<NewKey> {
  const key = createKey();
  const fresh = { hash: hashKey(key), created_at: options.clock().toISOString() };
  let stored: StoredKey | undefined;
  await change(options, (keys) => {
    const rotated = { ...findNamed(keys, name), ...fresh };
    stored = rotated;
    return keys.map((one) => (one.name === name ? rotated : one));
  });
  if (stored === undefined) throw new ContextloomError('internal', 'the key was not rotated');
  return { key, stored };
}

function findNamed(keys: readonly StoredKey[], name: string): StoredKey {
  const found = keys.find((key) => key.name === name);
  if (found !== undefined) return found;
  const names = keys.map((key) => key.name).join(', ') || 'none';
  throw new ContextloomError('not_found', `there is no key "${name}"; there are: ${names}`, { field: 'name' });
}

/** An empty list stays a file: it says that keys were required, and an endpoint that asks for keys does not open by itself. */
async function change(
  { file, database }: KeyFileOptions,
  toKeys: (keys: readonly StoredKey[]) => readonly StoredKey[],
): Promise<void> {
  if (database !== undefined) return database.change(toKeys);
  try {
    const toText = async (): Promise<string> => {
      const keys = toKeys(await listKeys({ file }));
      return `${JSON.stringify({ version: 1, keys }, null, 2)}\n`;
    };
    await updateFile(file, toText, { mode: 0o600 });
  } catch (error) {
    throw toFileError(error, file, 'written');
  }
}
