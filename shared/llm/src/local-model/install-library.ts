import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ContextloomError } from '@contextloom/contracts';
import { LIBRARY, toLibraryFile, toLibraryFolder } from './place.ts';

/** Where the library is installed. */
export interface InstallLibraryOptions {
  readonly dataDir: string;
  readonly signal: AbortSignal;
}

/** Some 50 MB are fetched and 470 unpacked; so long may that take, in milliseconds. */
const TIMEOUT_MS = 900_000;

const FLAGS = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=dev'];

const list = (folder: string): Promise<string[]> => (existsSync(folder) ? readdir(folder) : Promise.resolve([]));

/** Removes the runtime of other platforms, 230 MB that never run here. */
async function removeOtherPlatforms(folder: string): Promise<void> {
  const root = join(folder, 'node_modules', 'onnxruntime-node', 'bin');
  for (const version of await list(root)) {
    for (const platform of await list(join(root, version))) {
      for (const arch of await list(join(root, version, platform))) {
        if (platform === process.platform && arch === process.arch) continue;
        await rm(join(root, version, platform, arch), { recursive: true, force: true });
      }
    }
  }
}

/**
 * Installs the library that runs local models with npm, unless it is there: next to its place, which it takes when it is whole.
 * Install scripts are left out: the CPU runtime comes with the package.
 * @throws ContextloomError `unavailable` when npm cannot install it
 */
export async function installLibrary({
  dataDir,
  signal,
}: InstallLibraryOptions): Promise<'installed' | 'already there'> {
  if (existsSync(toLibraryFile(dataDir))) return 'already there';
  const folder = toLibraryFolder(dataDir);
  const next = `${folder}.${process.pid}`;
  const isWindows = process.platform === 'win32';
  await mkdir(next, { recursive: true });
  try {
    const args = ['install', ...FLAGS, '--prefix', '.', `${LIBRARY.name}@${LIBRARY.version}`];
    // On Windows npm is a command file, which needs a shell; no argument comes from outside.
    await promisify(execFile)('npm', args, { cwd: next, timeout: TIMEOUT_MS, signal, shell: isWindows });
    await removeOtherPlatforms(next);
    await rm(folder, { recursive: true, force: true });
    await rename(next, folder);
  } catch (cause) {
    signal.throwIfAborted();
    const message = `npm could not install ${LIBRARY.name}@${LIBRARY.version}: check the network and that npm is there`;
    throw new ContextloomError('unavailable', message, { cause });
  } finally {
    await rm(next, { recursive: true, force: true });
  }
  return 'installed';
}
