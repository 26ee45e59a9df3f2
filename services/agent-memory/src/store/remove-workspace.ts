import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasEntries, LONG_TERM_FILE, OWNER_FILE } from '../domain/model/files.ts';

/** Removes the folder of a workspace in which nothing stands; that of a user who was forgotten too, unless something was remembered of them since. */
export function removeWorkspace(folder: string, isForgotten: boolean): void {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const isMemory = (name: string): boolean => name === OWNER_FILE || name === LONG_TERM_FILE || hasEntries(name);
  const isKept = isForgotten ? names.some(isMemory) : names.some((name) => statSync(join(folder, name)).isFile());
  if (!isKept) rmSync(folder, { recursive: true, force: true });
}

/** Removes an index whose files are gone, with what was set aside of it. */
export function removeIndex(file: string): void {
  const folder = dirname(file);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((one) => one.startsWith(basename(file)))) rmSync(join(folder, name), { force: true });
}
