import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, one by one, for its owner alone: Node's recursive mkdir tries for ever where a file system (procfs, for
 * one) answers that the parent is missing though it is there.
 * @throws the file system's error
 */
export function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error; // Otherwise another process made it first.
  }
}
