import { chmod, mkdir, mkdtemp, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { generateRandomPipeName } from 'vscode-jsonrpc/node';
import { z } from 'zod';

/** The longest path of a Unix socket that every system takes, in bytes. Source: sun_path, 104 bytes on macOS. */
const LONGEST = 100;

const fileOf = (folder: string): string => join(folder, 'holder.json');

const addressSchema = z.object({ path: z.string(), pid: z.number() });

/** Where the process that holds a folder listens, or did; undefined when none ever has, or that is not to be read. */
export async function readAddress(folder: string): Promise<string | undefined> {
  try {
    return addressSchema.parse(JSON.parse(await readFile(fileOf(folder), 'utf8'))).path;
  } catch (error) {
    const isUnreadable = error instanceof z.ZodError || error instanceof SyntaxError;
    if (isUnreadable || (error instanceof Error && 'code' in error && error.code === 'ENOENT')) return undefined;
    throw error;
  }
}

/** Removes a socket without a listener, and the folder that was made for it. */
export async function removeAddress(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await rm(path, { force: true });
  try {
    await rmdir(dirname(path));
  } catch (error) {
    // Gone already, or with other things in it: both are left as they are.
    const isLeft =
      error instanceof Error && 'code' in error && /^(?:ENOENT|ENOTEMPTY|EEXIST)$/.test(String(error.code));
    if (!isLeft) throw error;
  }
}

/** Chooses where the holder of a folder listens, in a place that only this user may enter; the process that chooses it holds the folder. */
export async function chooseAddress(folder: string): Promise<string> {
  if (process.platform === 'win32') return generateRandomPipeName();
  const before = await readAddress(folder);
  // Of a holder that was killed.
  if (before !== undefined) await removeAddress(before);
  const own = join(folder, 'holder.d');
  if (Buffer.byteLength(own) + 5 > LONGEST) {
    return join(await mkdtemp(join(tmpdir(), 'contextloom-')), 'sock');
  }
  await mkdir(own, { recursive: true, mode: 0o700 });
  await chmod(own, 0o700);
  const path = join(own, 'sock');
  await rm(path, { force: true });
  return path;
}

/** Tells other processes where the holder of a folder listens. */
export async function publishAddress(folder: string, path: string): Promise<void> {
  if (process.platform !== 'win32') await chmod(path, 0o600);
  const draft = `${fileOf(folder)}.new`;
  await writeFile(draft, JSON.stringify({ path, pid: process.pid }), { mode: 0o600 });
  await rename(draft, fileOf(folder));
}
