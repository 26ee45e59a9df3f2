import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import type { WriteOutcome } from '../domain/workspace.ts';
import { hasErrorCode } from './file-errors.ts';

/** What a write puts next to the file, by the process that writes: its new text, and for a moment the one it replaces. */
const LEFT_BEHIND = /^\.(.+)\.(\d+)-[\w-]+\.(new|old)$/;

/** A replacement of a file's content. */
export interface FileSwap {
  readonly path: string;
  /** What the file has to be; undefined for none. */
  readonly base: Buffer | undefined;
  readonly content: Buffer;
  readonly newId: () => string;
}

async function writeDurably(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o644);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Windows can flush no folder, and needs not to. */
async function syncFolder(folder: string): Promise<void> {
  if (platform() === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives a file a name unless another file has it by now. */
function place(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    // A file system without hard links: its look and its rename are two steps.
    if (existsSync(to)) return false;
    renameSync(from, to);
    return true;
  }
}

/**
 * Takes the file aside, and puts the new one in its place only if it was what it had to be and nobody has put another there
 * meanwhile: whichever way an editor saves, its save is seen and stands.
 */
function exchange(path: string, base: Buffer, fresh: string, old: string): WriteOutcome {
  try {
    renameSync(path, old);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return 'changed';
    throw error;
  }
  const isOldKept = (): boolean => readFileSync(old).equals(base);
  if (!isOldKept()) {
    place(old, path);
    rmSync(old, { force: true });
    return 'changed';
  }
  const isPlaced = place(fresh, path);
  if (isPlaced && !isOldKept()) {
    renameSync(old, path); // Written into by whoever had it open.
    return 'changed';
  }
  rmSync(old, { force: true });
  return isPlaced ? 'written' : 'changed';
}

/**
 * Replaces a file if its content still is the base, durably. Whoever looks in the very moment may find no file; a process
 * that is killed in it leaves the old one aside, which {@link recoverFolder} puts back.
 */
export async function swapFile({ path, base, content, newId }: FileSwap): Promise<WriteOutcome> {
  const aside = (kind: 'new' | 'old') => join(dirname(path), `.${basename(path)}.${process.pid}-${newId()}.${kind}`);
  const fresh = aside('new');
  try {
    await writeDurably(fresh, content);
    const isPlaced = base === undefined ? place(fresh, path) : exchange(path, base, fresh, aside('old')) === 'written';
    await syncFolder(dirname(path));
    return isPlaced ? 'written' : 'changed';
  } finally {
    rmSync(fresh, { force: true });
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}

/** Puts back what a killed write has taken aside, and removes what it had not put in place. */
export function recoverFolder(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const [, of, writer, kind] = LEFT_BEHIND.exec(name) ?? [];
    if (of === undefined || isRunning(Number(writer))) continue;
    if (kind === 'old') place(join(folder, name), join(folder, of));
    rmSync(join(folder, name), { force: true });
  }
}
