import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError } from '@contextloom/contracts';
import type { SqlDatabase } from '../../database.ts';
import { lockFolder } from '../folder-lock.ts';
import { chooseAddress, publishAddress, readAddress, removeAddress } from './address.ts';
import { HolderLost, reachDatabase } from './reach-database.ts';
import { type ServedDatabase, serveDatabase } from './serve-database.ts';

/** How a folder is joined. */
export interface JoinFolderOptions {
  readonly folder: string;
  /** Opens the database in the folder, of which this process is sure to be the only user. */
  readonly open: () => Promise<SqlDatabase>;
  /** Told when other processes cannot be served. */
  readonly onUnserved: (cause: unknown) => void;
}

/** How often, and after how many milliseconds each time, a folder is looked at whose holder is neither there nor gone. */
const LOOKS = 100;
const PAUSE_MS = 100;

async function serve(opening: Promise<SqlDatabase>, options: JoinFolderOptions): Promise<ServedDatabase | undefined> {
  try {
    const path = await chooseAddress(options.folder);
    const served = await serveDatabase(opening, path);
    await publishAddress(options.folder, path);
    const close = async (): Promise<void> => {
      await served.close();
      await removeAddress(path);
    };
    return { close };
  } catch (cause) {
    // Some file systems take no sockets.
    options.onUnserved(cause);
    return undefined;
  }
}

/** Opens the database for this process and for those that come later. Whoever comes while it is being opened waits for it. */
async function hold(options: JoinFolderOptions, release: () => void): Promise<SqlDatabase> {
  const opening = options.open();
  opening.catch(() => undefined);
  const served = await serve(opening, options);
  try {
    const database = await opening;
    return {
      ...database,
      close: async () => {
        await served?.close();
        await database.close();
        release();
      },
    };
  } catch (error) {
    await served?.close();
    release();
    throw error;
  }
}

/** Uses the database of the holder; undefined without a holder. */
async function reach(folder: string): Promise<SqlDatabase | undefined> {
  const path = await readAddress(folder);
  if (path === undefined) return undefined;
  try {
    return await reachDatabase(path);
  } catch (error) {
    if (error instanceof HolderLost) return undefined;
    throw error;
  }
}

const inUse = (folder: string): ContextloomError =>
  new ContextloomError(
    'conflict',
    `another process uses ${folder} and cannot be reached: end it, let all clients use one server (--http), or set DATABASE_URL`,
    { field: 'PROJECT_MEMORY_DATA_DIR' },
  );

/**
 * Joins the processes that use a folder: through the one that holds it, or as its holder if no other process holds it.
 * @throws ContextloomError `conflict` while a process holds it that cannot be reached
 */
export async function joinFolder(options: JoinFolderOptions): Promise<SqlDatabase> {
  for (let look = 0; look < LOOKS; look += 1) {
    const reached = await reach(options.folder);
    if (reached !== undefined) return reached;
    const release = lockFolder(options.folder);
    if (release !== undefined) return hold(options, release);
    await sleep(PAUSE_MS);
  }
  throw inUse(options.folder);
}

/**
 * Opens the database in a folder that no other process uses, and serves none.
 * @throws ContextloomError `conflict` while another process uses it
 */
export async function takeFolder({ folder, open }: Pick<JoinFolderOptions, 'folder' | 'open'>): Promise<SqlDatabase> {
  const release = lockFolder(folder);
  if (release === undefined) {
    const message = `another process uses ${folder}: end it first`;
    throw new ContextloomError('conflict', message, { field: 'PROJECT_MEMORY_DATA_DIR' });
  }
  try {
    const database = await open();
    const close = async (): Promise<void> => {
      await database.close();
      release();
    };
    return { ...database, close };
  } catch (error) {
    release();
    throw error;
  }
}
