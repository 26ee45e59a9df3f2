import { execFile } from 'node:child_process';
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The newest bindings that load with the C library of Debian 12 (glibc 2.36); they serve the v2 API. */
const PACKAGE = 'chromadb-js-bindings-linux-x64-gnu';
const VERSION = '1.0.5';
/** How long an installation may take, in milliseconds: 110 MB are fetched and 430 MB unpacked. */
export const INSTALL_MS = 300_000;

const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'contextloom');
const folder = join(cache, `chroma-${VERSION}`);
const lock = `${folder}.lock`;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Installs next to the place where it is used, so that what stands there is always whole. */
async function install(): Promise<void> {
  const next = `${folder}.${process.pid}`;
  await mkdir(next, { recursive: true });
  try {
    const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
    const args = ['install', '--prefix', next, ...flags, `${PACKAGE}@${VERSION}`];
    await promisify(execFile)('npm', args, { timeout: INSTALL_MS, cwd: next });
    await rename(next, folder);
  } finally {
    await rm(next, { recursive: true, force: true });
  }
}

/** Takes the lock unless another process that still runs has it. */
async function takeLock(): Promise<boolean> {
  try {
    const file = await open(lock, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(await readFile(lock, 'utf8').catch(() => '')); // Given back meanwhile.
    if (holder > 0 && !isAlive(holder)) await rm(lock, { force: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Installs the bindings into the user's cache unless they are there, once for all workers; answers their folder. */
export async function installChroma(): Promise<string> {
  const bindings = join(folder, 'node_modules', PACKAGE);
  await mkdir(cache, { recursive: true });
  for (const deadline = Date.now() + INSTALL_MS; !(await exists(bindings)); await sleep(200)) {
    if (Date.now() > deadline) throw new Error(`${bindings} is not there; another process holds ${lock}`);
    if (!(await takeLock())) continue;
    try {
      if (!(await exists(bindings))) await install();
    } finally {
      await rm(lock, { force: true });
    }
  }
  return bindings;
}
