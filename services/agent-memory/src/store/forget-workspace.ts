import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Forgotten } from '@contextloom/contracts';
import { eraseFile } from '@contextloom/sqlite';
import { DAYS_FOLDER, LONG_TERM_FILE, OWNER_FILE } from '../domain/model/files.ts';

/** Which workspace is forgotten, and what is derived from it. */
export interface ForgetWorkspaceOptions {
  readonly folder: string;
  readonly isReadOnly: boolean;
  readonly indexFile: string;
  /** How many entries the index has. */
  readonly countEntries: () => number;
  /** Brings the index up to date with the files. */
  readonly sync: () => Promise<unknown>;
}

/** Lists a folder and those below it; a missing one has nothing. */
function listNames(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
}

/** OWNER.md, MEMORY.md, every log and archive, and what a write that was killed left of them. SPIRIT.md and TOOLS.md are the agent's. */
function findFiles(folder: string): readonly string[] {
  const isOwners = (name: string): boolean => [OWNER_FILE, LONG_TERM_FILE].some((file) => name.includes(file));
  const top = listNames(folder).filter((name) => dirname(name) === '.' && isOwners(name));
  const days = listNames(join(folder, DAYS_FOLDER)).filter((name) => name.endsWith('.md') || name.startsWith('.'));
  return [...top, ...days.map((name) => join(DAYS_FOLDER, name))];
}

/** Indexes that were damaged and set aside. */
const findAside = (indexFile: string): readonly string[] =>
  listNames(dirname(indexFile)).filter((name) => name.startsWith(`${basename(indexFile)}.damaged-`));

/**
 * Counts the files of a workspace that are about its user, and erases them and what the index had of them unless it is a dry run.
 * @throws ContextloomError `unavailable` or `no_space`
 */
export async function forgetWorkspace(options: ForgetWorkspaceOptions, isDryRun: boolean): Promise<Forgotten> {
  const { folder, isReadOnly, indexFile, countEntries, sync } = options;
  const files = findFiles(folder);
  const erased = [
    { what: 'files', count: files.length },
    { what: 'entries', count: countEntries() },
  ];
  const why = 'the workspace is read-only (AGENT_MEMORY_READ_ONLY)';
  if (isReadOnly) return { erased: [], unreached: files.length === 0 ? [] : [{ what: folder, why }] };
  if (isDryRun) return { erased, unreached: [] };
  for (const file of files) rmSync(join(folder, file), { recursive: true, force: true });
  for (const name of findAside(indexFile)) rmSync(join(dirname(indexFile), name), { force: true });
  await sync();
  return { erased, unreached: await eraseFile({ file: indexFile }) };
}
