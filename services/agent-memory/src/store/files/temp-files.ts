import { existsSync, linkSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { DAYS_FOLDER, fromDailyFile, TOP_FILES } from '../../domain/model/files.ts';
import { hasErrorCode } from './file-errors.ts';

const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
/**
 * What a write puts next to its file, by the process and workspace that write: its new text, and for a moment the old one. The
 * mark is in the name, since the old text is the file itself; earlier versions wrote two ids without the word.
 */
const TEMP_FILE = new RegExp(`^\\.(.+)\\.(?:contextloom-)?(\\d+)-(${UUID}-${UUID})\\.(new|old)$`);
/** A temporary file lives for less than a millisecond. After so many it was left behind, even if a process has its number by now. */
const LEFT_AFTER_MS = { old: 10_000, new: 600_000 };

/** What temporary files are made with. */
export interface TempFilesOptions {
  readonly newId: () => string;
  readonly clock: () => Date;
  /** Called with a text that was kept under another name, because a new file had taken its place. */
  readonly onKept: (file: string) => void;
}

/** The temporary files of writes, and what becomes of those that a killed one left. */
export interface TempFiles {
  /** Names for a new text and the one that it replaces, next to their file. */
  toNames(path: string): { readonly fresh: string; readonly old: string };
  /** Gives a text that was taken aside its name back; where another has that by now, both stay. */
  restore(old: string, path: string): void;
  /** Ends what killed writes of a folder left behind. */
  recover(folder: string): void;
  /** Whether somebody who still runs has a file aside at this moment; what a killed one left is put back. */
  isReplacing(path: string): boolean;
}

/** Gives a file a name unless another file has it by now. */
export function place(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST', 'ENOENT')) return false;
    // A file system without hard links: its look and its rename are two steps.
    if (existsSync(to)) return false;
    renameSync(from, to);
    return true;
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}

/** Whether a workspace has files of that name: no other was ever put aside. */
function isOfWorkspace(name: string): boolean {
  return TOP_FILES.includes(name) || fromDailyFile(`${DAYS_FOLDER}/${name}`) !== undefined;
}

/** Whether a file itself, and no link to one, is there. */
function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

const toLines = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '');

/** Whether the text in a file's place follows the one aside: its writer had put it there, or it has all of its lines. */
function isFollowed(old: string, path: string): boolean {
  const fresh = old.replace(/old$/, 'new');
  if (!isFile(path)) return false; // A link, or what blocks its reader: both stay.
  if (!isFile(fresh)) return true;
  // After a loss of power a text that was not on the disk yet is gone.
  if (lstatSync(fresh).ino === lstatSync(path).ino) return lstatSync(path).size > 0;
  const lines = new Set(toLines(path));
  return toLines(old).every((line) => lines.has(line));
}

/** Builds what names and recovers the temporary files of one workspace, in one process. */
export function createTempFiles({ newId, clock, onKept }: TempFilesOptions): TempFiles {
  const writer = newId();

  function restore(old: string, path: string): void {
    if (place(old, path) || isFollowed(old, path)) {
      rmSync(old, { force: true });
      return;
    }
    const kept = path.replace(/\.md$/, `.recovered-${newId().slice(0, 8)}.md`);
    renameSync(old, kept);
    onKept(kept);
  }
  /** Processes of other machines and containers count too: the same number may be another one's there. */
  function isLeft(file: string, id: string, name: string, kind: 'old' | 'new'): boolean {
    if (Number(id) === process.pid ? !name.startsWith(writer) : !isRunning(Number(id))) return true;
    const status = lstatSync(file, { throwIfNoEntry: false });
    return status === undefined || clock().getTime() - status.ctimeMs > LEFT_AFTER_MS[kind];
  }
  function list(folder: string) {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.flatMap((entry) => {
      const [, of = '', id = '', name = '', kind] = TEMP_FILE.exec(entry) ?? [];
      const file = join(folder, entry);
      return (kind === 'old' || kind === 'new') && isOfWorkspace(of) && isFile(file)
        ? [{ file, of, id, name, kind } as const]
        : [];
    });
  }
  return {
    toNames: (path) => {
      const stem = join(dirname(path), `.${basename(path)}.contextloom-${process.pid}-${writer}-${newId()}`);
      return { fresh: `${stem}.new`, old: `${stem}.old` };
    },
    restore,
    recover: (folder) => {
      const left = list(folder).filter(({ file, id, name, kind }) => isLeft(file, id, name, kind));
      // The old ones first: what is left of a new one shows whether it was put in place.
      for (const { file, of, kind } of left) if (kind === 'old') restore(file, join(folder, of));
      for (const { file, kind } of left) if (kind === 'new') rmSync(file, { force: true });
    },
    isReplacing: (path) => {
      const folder = dirname(path);
      const own = list(folder).filter(({ of, kind }) => of === basename(path) && kind === 'old');
      for (const { file, id, name, kind } of own) if (isLeft(file, id, name, kind)) restore(file, path);
      return own.length > 0;
    },
  };
}
