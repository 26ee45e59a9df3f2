import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { READING_FOLDER } from '@contextloom/runtime';

/** The project that a session works on. */
export interface Project {
  /** What project memory keeps it under, on every machine. */
  readonly name: string;
  /** Its folder on this machine. */
  readonly path: string;
}

/** What leads from a worktree to the repository that it belongs to. */
const WORKTREE = /^gitdir: (.+)[\\/]\.git[\\/]worktrees[\\/][^\\/\r\n]+\s*$/u;

/** The root of the repository at `folder`; undefined where none begins there. */
async function findRoot(folder: string): Promise<string | undefined> {
  const git = join(folder, '.git');
  const found = await stat(git).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isDirectory()) return folder;
  const main = WORKTREE.exec(await readFile(git, 'utf8'))?.[1];
  return main === undefined ? folder : resolve(folder, main);
}

/**
 * Finds the project of a folder: the repository around it, the main one for a worktree, else the folder itself; undefined for the
 * root of a disk, and where a coding agent reads a conversation for a server. It is named after its folder, as agents name it that use project memory themselves.
 */
export async function findProject(cwd: string): Promise<Project | undefined> {
  const start = resolve(cwd);
  let root: string | undefined;
  for (let folder = start; root === undefined; folder = dirname(folder)) {
    root = await findRoot(folder);
    if (dirname(folder) === folder) break;
  }
  if (root === undefined && basename(start).startsWith(READING_FOLDER)) return undefined;
  const path = root ?? start;
  const name = basename(path)
    .replace(/[\p{Cc}\p{Cs}\ufffd]/gu, '')
    .trim();
  return name === '' ? undefined : { name, path };
}
