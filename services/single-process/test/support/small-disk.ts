import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A disk of some megabytes, which a test fills. */
export interface SmallDisk {
  /** Leaves room for so many bytes. */
  readonly fill: (left: number) => Promise<void>;
  readonly makeRoom: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

const mount = (folder: string, options: string) => run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
// At once, whatever still has a file of it open.
const unmount = (folder: string) => run('umount', ['-l', folder]);

/** Whether this machine lets us mount a disk in memory: root on Linux, outside of most containers. */
export async function canMount(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'));
  try {
    await mount(folder, 'size=1m');
    await unmount(folder);
    return true;
  } catch {
    return false;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Makes a disk in memory at a new folder; it belongs to the owner of another folder. */
export async function mountSmallDisk(folder: string, mebibytes: number, like: string): Promise<SmallDisk> {
  const { uid, gid } = await stat(like);
  await mkdir(folder);
  await mount(folder, `size=${mebibytes}m,mode=700,uid=${uid},gid=${gid}`);
  const ballast = join(folder, 'ballast');
  return {
    fill: async (left) => {
      const { bavail, bsize } = await statfs(folder);
      await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left)));
    },
    makeRoom: () => rm(ballast),
    remove: async () => {
      await unmount(folder);
      await rm(folder, { recursive: true });
    },
  };
}
