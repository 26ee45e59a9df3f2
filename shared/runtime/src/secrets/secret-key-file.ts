import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { parseSecretKey, SECRET_KEY_BYTES } from './sealer.ts';

const isCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

/** How errors call a key file. */
export interface SecretKeyFile {
  readonly path: string;
  /** The setting that names it, or what it is. */
  readonly name: string;
}

/**
 * Reads the key in a file; undefined when there is no such file. A key that others on the machine can read is no secret; Windows has
 * no such modes.
 * @throws ContextloomError `invalid`
 */
export function readSecretKeyFile({ path, name }: SecretKeyFile): Buffer | undefined {
  try {
    const { mode } = statSync(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new ContextloomError('invalid', `${name} must be readable by its owner alone: chmod 600`, { field: name });
    }
    return parseSecretKey(readFileSync(path, 'utf8'), name);
  } catch (cause) {
    if (isCode(cause, 'ENOENT') || isCode(cause, 'ENOTDIR')) return undefined;
    if (cause instanceof ContextloomError) throw cause;
    throw new ContextloomError('invalid', `${name} cannot be read`, { field: name, cause });
  }
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows opens no folders.
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}

/** Writes a new key next to where it is to lie. */
async function writeDraft(path: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(SECRET_KEY_BYTES).toString('base64')}\n`);
    await file.sync();
    return draft;
  } finally {
    await file.close();
  }
}

/** Gives a draft its name, unless there is a file of this name: a link appears whole and replaces no file. */
async function linkDraft(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(draft);
  }
}

/** What to do where a key cannot be made. */
export interface SecretKeyAdvice {
  readonly advice: string;
  /** The setting that takes a key. */
  readonly field: string;
}

/**
 * Makes a key in a file, mode 0600, on disk once this resolves. Of two processes that do so at once both get the same key.
 * @returns whether the key is of this call
 * @throws ContextloomError `unavailable` where the file cannot be written
 */
export async function makeSecretKeyFile(path: string, { advice, field }: SecretKeyAdvice): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const isMade = await linkDraft(await writeDraft(path), path);
    await syncFolder(dirname(path));
    return isMade;
  } catch (cause) {
    const message = `a key is needed, and none can be made in ${path}: ${advice}`;
    throw new ContextloomError('unavailable', message, { field, cause });
  }
}
