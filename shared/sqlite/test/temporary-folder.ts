import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder of its own. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'contextloom-sqlite-'));
}

/** Removes what {@link makeFolder} made. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs `work` with a folder of its own, which is gone afterwards. */
export async function withFolder<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = makeFolder();
  try {
    return await work(folder);
  } finally {
    removeFolder(folder);
  }
}
