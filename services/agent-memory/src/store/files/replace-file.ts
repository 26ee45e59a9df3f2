import { chmodSync, lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/** A change of what a file has at the very moment; undefined for none. */
export interface FileRewriting {
  readonly path: string;
  readonly toContent: (base: Buffer) => Buffer | undefined | Promise<Buffer | undefined>;
  readonly tempFiles: TempFiles;
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
  { path, tempFiles }: Pick<FileReplacement, 'path' | 'tempFiles'>,
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
  return true;
}

/**
 * Replaces a file if its content still is the base, durably. A reader may find no file for a moment; a process
 * that is killed in it leaves the old one aside, which {@link TempFiles.recover} restores.
 */
export async function replaceFile(replacement: FileReplacement): Promise<WriteOutcome> {
  const { path, base, content, tempFiles } = replacement;
  const names = tempFiles.toNames(path);
  const file = await open(names.fresh, 'wx', 0o644);
  try {
    await file.writeFile(content);
    await file.sync();
    const isNew = base === undefined;
    const isPlaced = isNew
      ? !tempFiles.isReplacing(path) && place(names.fresh, path)
      : exchange(replacement, base, names);
    if (isPlaced) rmSync(names.old, { force: true });
    await syncFolder(dirname(path));
    return isPlaced ? 'written' : 'changed';
  } finally {
    await file.close();
    rmSync(names.fresh, { force: true });
  }
}

/**
 * Changes a file that others change all the time: it is read, changed and exchanged in one go where the change needs no waiting.
 * The new text goes to the disk once it is in its place, and the old one stays aside until then.
 */
export async function rewriteFile({ path, toContent, tempFiles }: FileRewriting): Promise<WriteOutcome> {
  const names = tempFiles.toNames(path);
  const file = await open(names.fresh, 'wx', 0o644);
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return 'changed';
    const base = readFileSync(path);
    // Editors empty a file before they save it in place.
    if (base.length === 0) return 'changed';
    const made = toContent(base);
    const content = made instanceof Promise ? await made : made;
    if (content === undefined || content.equals(base)) return 'written';
    writeFileSync(file.fd, content);
    if (!exchange({ path, tempFiles }, base, names)) return 'changed';
    await file.sync();
    rmSync(names.old, { force: true });
    await syncFolder(dirname(path));
    return 'written';
  } finally {
    await file.close();
    rmSync(names.fresh, { force: true });
  }
}
