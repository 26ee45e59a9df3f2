import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, parse } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { backUpDatabase, type Database } from '@contextloom/sqlite';
import type { BackUpPlan } from '../domain/store.ts';

/** `<name of the file>-<time>.db`, the colons of the time as dashes, so that names in order are times in order. */
const TIME = String.raw`\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}Z`;

/** The copies of a file in a folder, oldest first. */
export function listCopies(file: string, folder: string): readonly string[] {
  const { name, ext } = parse(file);
  const pattern = new RegExp(`^${TIME}${ext.replace('.', '\\.')}$`);
  if (!existsSync(folder)) return [];
  const own = readdirSync(folder).filter(
    (entry) => entry.startsWith(`${name}-`) && pattern.test(entry.slice(name.length + 1)),
  );
  return own.sort().map((entry) => join(folder, entry));
}

/** Copies of a file, and what copying that was interrupted has left. */
export interface AllCopies {
  /** Backups, and what a restored backup took the place of. */
  readonly copies: readonly string[];
  readonly unfinished: readonly string[];
}

/** Everything that this server has ever copied of a file, as far as it is still there. */
export function listAllCopies(file: string, folder: string): AllCopies {
  const { dir, base, name } = parse(file);
  const besides = existsSync(dir) ? readdirSync(dir) : [];
  const replaced = besides.filter((one) => one.startsWith(`${base}.before-restore-`) && !/-(?:wal|shm)$/.test(one));
  const begun = (existsSync(folder) ? readdirSync(folder) : []).filter(
    (one) => one.startsWith(`${name}-`) && one.endsWith('.unfinished'),
  );
  const restored = besides.filter((one) => one.startsWith(`${base}.restored`));
  return {
    copies: [...listCopies(file, folder), ...replaced.map((one) => join(dir, one))],
    unfinished: [...begun.map((one) => join(folder, one)), ...restored.map((one) => join(dir, one))],
  };
}

/** When a file was last written, in epoch milliseconds; 0 for a missing file. */
function toModified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Whether a copy is due: the database or its log changed since the newest copy, and that is old enough. */
export function isDue(file: string, { folder, now, minAgeMs }: BackUpPlan): boolean {
  const newest = listCopies(file, folder).at(-1);
  if (newest === undefined) return true;
  const copied = toModified(newest);
  const age = now.getTime() - copied;
  if (age < 0) return true; // The clock went back, so the order of writes is unknown.
  return age >= minAgeMs && Math.max(toModified(file), toModified(`${file}-wal`)) > copied;
}

/**
 * Copies a database in use into a folder, if a copy is due, and deletes surplus copies.
 * @throws ContextloomError `no_space` or `unavailable`
 */
export async function backUpFile(database: Database, file: string, options: BackUpPlan): Promise<string | undefined> {
  if (!isDue(file, options)) return undefined;
  const { folder, now, keep } = options;
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new ContextloomError('unavailable', `the folder ${folder} for backups cannot be made`, { cause });
  }
  const { name, ext } = parse(file);
  const copy = join(folder, `${name}-${now.toISOString().replaceAll(':', '-')}${ext}`);
  await backUpDatabase(database, copy);
  pruneCopies(file, folder, keep);
  return copy;
}

function pruneCopies(file: string, folder: string, keep: number): void {
  const copies = listCopies(file, folder);
  for (const copy of copies.slice(0, Math.max(0, copies.length - keep))) rmSync(copy, { force: true });
}

/** The name of the file that a copy was made of. */
export function toOriginalName(copy: string): string | undefined {
  return new RegExp(`^(.+)-${TIME}(\\.[^.]*)?$`).exec(parse(copy).base)?.slice(1, 3).join('');
}
