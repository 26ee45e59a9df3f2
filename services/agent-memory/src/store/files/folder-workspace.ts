import { constants, realpathSync, statSync } from 'node:fs';
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError } from '@contextloom/contracts';
import { makeFolders } from '@contextloom/sqlite';
import { ARCHIVE_FOLDER, DAYS_FOLDER, fromDailyFile, fromLogFile, TOP_FILES } from '../../domain/model/files.ts';
import type { Workspace, WorkspaceFile } from '../../domain/ports/workspace.ts';
import { hasErrorCode, withFileErrors } from './file-errors.ts';
import { replaceFile, rewriteFile } from './replace-file.ts';
import { createTempFiles } from './temp-files.ts';

/** What a workspace is opened with. */
export interface FolderWorkspaceOptions {
  readonly folder: string;
  readonly isReadOnly: boolean;
  readonly newId: () => string;
  readonly clock: () => Date;
  /** Called with the absolute path of a text that a cut-off write left and that was kept under another name. */
  readonly onKept?: (file: string) => void;
}

const MAX_FILE_BYTES = 64 * 2 ** 20;
/** A file changed by somebody else less long ago, in milliseconds, may still be being written. */
const SETTLE_MS = 25;
const MAX_WAITS = 20;
/** Editors empty or remove a file before they save: an empty file counts as a deletion after this many milliseconds. */
const SETTLE_EMPTY_MS = 1_000;

/** The folders and files of a workspace are these alone, so that no name a caller makes up leads out of it. */
function checkPath(path: string): void {
  if (TOP_FILES.includes(path) || fromLogFile(path) !== undefined) return;
  throw new ContextloomError('forbidden', 'the path must be a file of the workspace, such as memory/2026-02-14.md', {
    field: 'path',
  });
}

/** A text that may be written back: whatever is not UTF-8 would be lost. */
function toText(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ContextloomError('invalid', `${path} is not UTF-8 text: save it as UTF-8`, { field: path, cause });
  }
}

const toStamp = ({ size, mtimeNs, ctimeNs, ino }: Readonly<Record<'size' | 'mtimeNs' | 'ctimeNs' | 'ino', bigint>>) =>
  [size, mtimeNs, ctimeNs, ino].join(':');

function checkIsFile(status: { isFile(): boolean }, path: string): void {
  if (status.isFile()) return;
  throw new ContextloomError('invalid', `${path} is a folder, a pipe or a device, not a file`, { field: path });
}

/** Windows has neither flag. */
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/** Opens nothing but files: a pipe would block its reader until somebody writes into it. */
async function readOpen(target: string, path: string) {
  checkIsFile(await lstat(target), path);
  // Should it be exchanged for a pipe or a link in this very moment, neither is waited for or followed.
  const file = await open(target, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const status = await file.stat({ bigint: true });
    checkIsFile(status, path);
    if (status.size > MAX_FILE_BYTES) throw new ContextloomError('too_large', `${path} is over 64 MB`, { field: path });
    const bytes = await file.readFile();
    return { bytes, stamp: toStamp(status), mtimeMs: Number(status.mtimeNs / 1_000_000n) };
  } finally {
    await file.close();
  }
}

/** What the work gives, or undefined where there is no such file. */
async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

const isLink = async (path: string): Promise<boolean> => (await orMissing(lstat(path)))?.isSymbolicLink() ?? false;

/** Makes a folder that may be written, and finds where it really is. */
function openRoot(folder: string, isReadOnly: boolean): string {
  try {
    if (!isReadOnly) makeFolders(resolve(folder, DAYS_FOLDER));
    return realpathSync(resolve(folder));
  } catch (cause) {
    const message = isReadOnly ? 'is no folder that can be read' : 'cannot be made or written';
    throw new ContextloomError('unavailable', `the workspace ${folder} ${message}`, { field: 'workspace', cause });
  }
}

/**
 * Opens a folder as a workspace; it is made when missing, unless it is only to be read.
 * @throws ContextloomError `unavailable`
 */
export function openFolderWorkspace({
  folder,
  isReadOnly,
  newId,
  clock,
  onKept = () => undefined,
}: FolderWorkspaceOptions): Workspace {
  const root = openRoot(folder, isReadOnly);
  const tempFiles = createTempFiles({ newId, clock, onKept });
  const lastWritten = new Map<string, string>();
  /** Files that were there when they were last looked for. */
  const present = new Set<string>();

  const isInside = (target: string): boolean => target === root || target.startsWith(root + sep);

  /** Where a folder really is; undefined when it does not exist. */
  async function findFolder(path: string): Promise<string | undefined> {
    const target = await orMissing(realpath(join(root, path)));
    if (target === undefined || isInside(target)) return target;
    throw new ContextloomError('forbidden', `${path} is a link out of the workspace`, { field: path });
  }

  /** Where a file really is: a link may lead to another place of the workspace, and no further. */
  async function locate(path: string): Promise<string | undefined> {
    checkPath(path);
    try {
      const target = await realpath(join(root, path));
      if (isInside(target)) return target;
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) throw error;
      await findFolder(dirname(path));
      if (!(await isLink(join(root, path)))) return undefined;
      throw new ContextloomError('forbidden', `${path} is a link to a file that is not there`, { field: path });
    }
    throw new ContextloomError('forbidden', `${path} is a link out of the workspace`, { field: path });
  }

  async function readOnce(path: string) {
    const target = await locate(path);
    if (target === undefined) return undefined;
    try {
      return await readOpen(target, path);
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  async function read(path: string): Promise<WorkspaceFile | undefined> {
    for (let waits = 0; ; waits += 1) {
      const found = await readOnce(path);
      if (found === undefined) {
        const isReplacing = !isReadOnly && tempFiles.isReplacing(join(root, path)); // Another process is exchanging it.
        if ((isReplacing || present.has(path)) && waits * SETTLE_MS < SETTLE_EMPTY_MS) {
          await sleep(SETTLE_MS);
          continue;
        }
        present.delete(path);
        return undefined;
      }
      present.add(path);
      const text = toText(found.bytes, path);
      const isOwn = lastWritten.get(path) === text;
      const age = clock().getTime() - found.mtimeMs;
      const settleMs = text === '' ? SETTLE_EMPTY_MS : SETTLE_MS;
      if (isOwn || age > settleMs || age < 0 || waits * SETTLE_MS >= MAX_WAITS * settleMs) {
        return { path, text, stamp: found.stamp, modified: new Date(found.mtimeMs).toISOString() };
      }
      await sleep(SETTLE_MS);
    }
  }

  /** The folder of a file that is to be made: a link may not lead it out either. */
  async function prepareFolder(path: string): Promise<string> {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    for (const depth of parts.keys()) {
      const inside = parts.slice(0, depth + 1).join('/');
      makeFolders(join(root, inside));
      await findFolder(inside);
    }
    return join((await findFolder(parts.join('/'))) ?? root, name);
  }

  /** Nothing outside is touched: not even what looks as if this program had left it there. */
  async function recover(): Promise<void> {
    for (const inside of ['', DAYS_FOLDER, ARCHIVE_FOLDER]) {
      const folder = await findFolder(inside).catch(() => undefined); // Reading a file there fails with the reason.
      if (folder !== undefined) tempFiles.recover(folder);
    }
  }

  function checkWritable(path: string): void {
    checkPath(path);
    if (isReadOnly) {
      throw new ContextloomError('forbidden', 'the workspace is read-only (AGENT_MEMORY_READ_ONLY)');
    }
  }

  async function write(path: string, base: WorkspaceFile | undefined, text: string) {
    checkWritable(path);
    const target = (await locate(path)) ?? (await prepareFolder(path));
    const before = base === undefined ? undefined : Buffer.from(base.text);
    const outcome = await replaceFile({ path: target, base: before, content: Buffer.from(text), tempFiles });
    if (outcome === 'written') lastWritten.set(path, text);
    return outcome;
  }

  const rewrite: Workspace['rewrite'] = async (path, toChanged) => {
    checkWritable(path);
    const target = await locate(path);
    if (target === undefined) return 'changed';
    let written: string | undefined;
    const keep = (text: string | undefined): Buffer | undefined => {
      written = text;
      return text === undefined ? undefined : Buffer.from(text);
    };
    const toContent = (base: Buffer) => {
      const status = statSync(target, { bigint: true });
      const modified = new Date(Number(status.mtimeNs / 1_000_000n)).toISOString();
      const made = toChanged({ path, text: toText(base, path), stamp: toStamp(status), modified });
      return made instanceof Promise ? made.then(keep) : keep(made);
    };
    const outcome = await rewriteFile({ path: target, toContent, tempFiles });
    if (outcome === 'written' && written !== undefined) lastWritten.set(path, written);
    return outcome;
  };

  async function listDays(): Promise<readonly string[]> {
    try {
      const names = await readdir(join(root, DAYS_FOLDER));
      return names.map((name) => `${DAYS_FOLDER}/${name}`).filter((path) => fromDailyFile(path) !== undefined);
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return [];
      throw error;
    }
  }

  async function list(): Promise<ReadonlyMap<string, string>> {
    const paths = [...TOP_FILES, ...(await listDays())];
    const stamps = await Promise.all(
      paths.map(async (path) => {
        try {
          return [path, toStamp(await stat(join(root, path), { bigint: true }))] as const;
        } catch (error) {
          if (hasErrorCode(error, 'ENOENT', 'ELOOP', 'EACCES')) return undefined;
          throw error;
        }
      }),
    );
    return new Map(stamps.filter((one) => one !== undefined));
  }

  return {
    isReadOnly,
    list: () => withFileErrors('memory', list),
    read: (path) => withFileErrors(path, () => read(path)),
    write: (path, base, text) => withFileErrors(path, () => write(path, base, text)),
    rewrite: (path, toText) => withFileErrors(path, () => rewrite(path, toText)),
    recover: () =>
      withFileErrors('memory', async () => {
        if (!isReadOnly) await recover();
      }),
  };
}
