import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { openChatModel, openEmbedder } from '@contextloom/llm';
import { startErasing } from '@contextloom/runtime/scheduling';
import { hasEntries, LONG_TERM_FILE, OWNER_FILE } from './domain/model/files.ts';
import type { Workspaces } from './domain/workspaces.ts';
import {
  type OpenAgentMemoryOptions,
  type OpenedMemory,
  openAgentMemory,
  toIndexFile,
  watchDays,
} from './open-agent-memory.ts';
import { listWorkspaces, toFolderName } from './store/files/folder-name.ts';
import { createOpenPool } from './store/open-pool.ts';
import { indexHasEnded } from './store/sqlite/index-has-ended.ts';

/** Removes the folder of a workspace in which nothing stands; that of a user who was forgotten too, unless something was remembered of them since. */
function removeWorkspace(folder: string, isForgotten: boolean): void {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const isMemory = (name: string): boolean => name === OWNER_FILE || name === LONG_TERM_FILE || hasEntries(name);
  const isKept = isForgotten ? names.some(isMemory) : names.some((name) => statSync(join(folder, name)).isFile());
  if (!isKept) rmSync(folder, { recursive: true, force: true });
}

/** Removes an index whose files are gone, with what was set aside of it. */
function removeIndex(file: string): void {
  const folder = dirname(file);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((one) => one.startsWith(basename(file)))) rmSync(join(folder, name), { force: true });
}

/** What the workspaces are opened with. */
export interface OpenWorkspacesOptions extends OpenAgentMemoryOptions {
  /** Tells of files of a user that changed. */
  readonly eventsOf?: (userId: string) => OpenAgentMemoryOptions['events'];
  /** How many stay open when nobody uses them; 32 without it. */
  readonly keptOpen?: number;
}

const KEPT_OPEN = 32;
/** The id of nobody, in whose name those read who have no workspace yet: it is always empty. */
const NOBODY = '';

/** Where the workspace of each user is. */
function createFolders({ workspaces: root, workspace, userId: owner, dataDir }: OpenWorkspacesOptions) {
  function find(userId: string): string | undefined {
    // The user who had the one workspace of before keeps it.
    if (userId === owner) return workspace;
    if (userId === NOBODY) return join(dataDir, 'empty');
    const name = toFolderName(userId);
    return name === undefined ? undefined : join(root, name);
  }
  const exists = (userId: string): boolean => {
    const folder = find(userId);
    return folder !== undefined && existsSync(folder);
  };
  const requireFolder = (userId: string): string => {
    const folder = find(userId);
    if (folder !== undefined) return folder;
    const message =
      'user_id is too long to name a folder: at most 240 of a-z, 0-9, ".", "_" and "-", where each byte of another character counts as three';
    throw new ContextloomError('invalid', message, { field: 'user_id' });
  };
  return {
    exists,
    require: requireFolder,
    indexOf: (userId: string): string => toIndexFile(dataDir, requireFolder(userId)),
    list: (): readonly string[] => {
      const others = listWorkspaces(root).filter((id) => id !== owner);
      return [...others, ...(owner !== undefined && exists(owner) ? [owner] : [])].sort();
    },
  };
}

/** Opens the workspaces of a folder: each when it is first needed; those that were used last stay open. */
export async function openWorkspaces(options: OpenWorkspacesOptions): Promise<Workspaces> {
  const { readOnly } = options;
  const folders = createFolders(options);
  const { pool, waiting } = await openPool(options, folders);
  const days = startDays(options, async (signal) => {
    for (const userId of folders.list()) await pool.use(userId, ({ memory }) => memory.endDays(signal));
  });
  const endErasing = startErasing(
    async () => {
      let isErased = false;
      for (const userId of readOnly ? [] : folders.list()) {
        // What is open looks after itself.
        const hasEnded = !pool.isOpen(userId) && indexHasEnded(folders.indexOf(userId), options.clock());
        if (hasEnded) isErased = (await pool.use(userId, ({ forgetEnded }) => forgetEnded())) || isErased;
      }
      return isErased;
    },
    options.log,
    options.erasing,
  );
  const countWaiting = async (userId: string): Promise<number> =>
    (pool.isOpen(userId) ? undefined : waiting.get(userId)) ?? pool.use(userId, ({ memory }) => memory.countWaiting());
  return {
    list: folders.list,
    using: (userId, effect, work) => {
      const isEmpty = effect === 'reads' && !folders.exists(userId);
      return pool.use(isEmpty ? NOBODY : userId, ({ memory, forgetOwner }) => work({ memory, userId, forgetOwner }));
    },
    forget: async (userId, isDryRun) => {
      if (!folders.exists(userId)) return { erased: [], unreached: [] };
      const forgotten = await pool.use(userId, ({ forgetOwner }) => forgetOwner(isDryRun));
      if (!isDryRun && !readOnly) await pool.drop(userId);
      return forgotten;
    },
    countWaiting: async () => {
      let count = 0;
      for (const userId of folders.list()) count += await countWaiting(userId);
      return count;
    },
    close: async () => {
      days?.close();
      await endErasing();
      await pool.close();
    },
  };
}

/** Opens the pool of the workspaces, and keeps how many entries waited when one was closed, by its user. */
async function openPool(options: OpenWorkspacesOptions, folders: ReturnType<typeof createFolders>) {
  const { keptOpen = KEPT_OPEN, userId: owner, log, eventsOf } = options;
  const models = { model: await openChatModel(options), embedder: await openEmbedder(options) };
  const waiting = new Map<string, number>();
  const pool = createOpenPool<OpenedMemory>({
    keptOpen,
    onError: (cause) => log.warn({ cause }, 'a workspace could not be closed'),
    open: async (userId) => {
      const workspace = folders.require(userId);
      const events = eventsOf?.(userId);
      return openAgentMemory({ ...options, workspace, userId, summaries: 'asked', events, models });
    },
    close: async (userId, { memory, close }, isForgotten) => {
      const folder = folders.require(userId);
      waiting.set(userId, await memory.countWaiting());
      await close();
      if (userId !== owner) removeWorkspace(folder, isForgotten);
      if (folders.exists(userId)) return;
      removeIndex(folders.indexOf(userId));
      waiting.delete(userId);
    },
  });
  return { pool, waiting };
}

function startDays(
  { summaries, readOnly, log }: OpenWorkspacesOptions,
  endDays: (signal: AbortSignal) => Promise<void>,
) {
  if (summaries !== 'daily' || readOnly) return undefined;
  return watchDays({ endDays }, (cause) => log.warn({ cause }, 'the summaries of days could not be written'));
}
