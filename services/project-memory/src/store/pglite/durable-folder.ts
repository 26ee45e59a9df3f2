import { fsyncSync } from 'node:fs';
import { chmod, open, readdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type ModuleOptions = Parameters<NodeFS['init']>[1];
type Module = Parameters<NonNullable<ModuleOptions['preRun']>[number]>[0];

/** What emscripten knows of an open file of the machine's own; directories have no descriptor. */
interface NodeStream {
  readonly nfd?: number;
}
interface FileOperations {
  fsync?: (stream: NodeStream) => number;
}

/**
 * A folder of the machine whose files PGlite can flush. Emscripten's NODEFS leaves `fsync` out, and PGlite turns it off: what
 * was committed would be lost with the power, and after a checkpoint more than that.
 */
export class DurableFolder extends NodeFS {
  override async init(pg: PGlite, options: ModuleOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    const addFsync = (module: Module): void => {
      const { NODEFS } = module.FS.filesystems as { NODEFS: { stream_ops: FileOperations } };
      NODEFS.stream_ops.fsync = ({ nfd }) => {
        if (nfd !== undefined) fsyncSync(nfd);
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } };
  }
}

/** Windows opens no folders, and needs no flush of them. */
const opensFolders = process.platform !== 'win32';

async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Keeps others from a folder and from all that is in it: emscripten makes files that everybody may write, whatever the process'
 * umask. Where the folder belongs to somebody else, its rights stay as they are.
 */
export async function makePrivate(folder: string): Promise<void> {
  if (process.platform === 'win32' || (await stat(folder)).uid !== process.getuid?.()) return;
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const others = entries.map((entry) => chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600));
  // Postgres removes files of its own at any time.
  await Promise.allSettled(others);
}

/** Gives a folder its final name once all that is in it is on the disk. */
export async function publishFolder(draft: string, folder: string): Promise<void> {
  const entries = await readdir(draft, { recursive: true, withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) await flush(path, 'r+');
      else if (opensFolders) await flush(path, 'r');
    }),
  );
  await rename(draft, folder);
  if (opensFolders) await flush(dirname(folder), 'r');
}
