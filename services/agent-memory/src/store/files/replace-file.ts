import { chmodSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import type { WriteOutcome } from '../../domain/ports/workspace.ts';
import { hasErrorCode } from './file-errors.ts';
import { place, type TempFiles } from './temp-files.ts';

/** A replacement of a file's content. */
export interface FileReplacement {
  readonly path: string;
  /** What the file has to be; undefined for none. */
  readonly base: Buffer | undefined;
  readonly content: Buffer;
  readonly tempFiles: TempFiles;
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

/**
 * Takes the file aside, and puts the new one in its place only if it was what it had to be and nobody has put another there
 * meanwhile: whichever way an editor saves, its save is seen and stands.
 */
function exchange(
  { path, tempFiles }: FileReplacement,
  base: Buffer,
  { fresh, old }: ReturnType<TempFiles['toNames']>,
) {
  try {
    chmodSync(fresh, statSync(path).mode); // A file that only its owner may read stays so.
    renameSync(path, old);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
  const isOldKept = (): boolean => readFileSync(old).equals(base);
  if (!isOldKept() || !place(fresh, path)) {
    tempFiles.restore(old, path);
    return false;
  }
  if (!isOldKept()) {
    renameSync(old, path); // A program that had it open wrote into it.
    return false;
  }
  rmSync(old, { force: true });
  return true;
}

/**
 * Replaces a file if its content still is the base, durably. A reader may find no file for a moment; a process
 * that is killed in it leaves the old one aside, which {@link TempFiles.recover} restores.
 */
export async function replaceFile(replacement: FileReplacement): Promise<WriteOutcome> {
  const { path, base, content, tempFiles } = replacement;
  const names = tempFiles.toNames(path);
  try {
    await writeDurably(names.fresh, content);
    const isNew = base === undefined;
    const isPlaced = isNew
      ? !tempFiles.isReplacing(path) && place(names.fresh, path)
      : exchange(replacement, base, names);
    await syncFolder(dirname(path));
    return isPlaced ? 'written' : 'changed';
  } finally {
    rmSync(names.fresh, { force: true });
  }
}
