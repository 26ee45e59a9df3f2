// A folder that all suites of one test run share: what one of them starts for all of them leaves its pid there, and what
// they write to the folder for temporary files is in it.
import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's folder in memory, which a container may have made as small as 64 MB. */
const MEMORY = '/dev/shm';
/** A run was seen to take 1.7 GB, most of it Chroma; the memory itself must have as much room again. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Where the run writes. A store flushes each commit, and thousands of small stores wait for a disk longer than they work;
 * in memory they are the same files, which outlive a killed process just so. TMPDIR, where it is set, has the last word.
 */
async function findPlace() {
  if (process.env.TMPDIR || freemem() < 2 * ROOM_BYTES) return tmpdir();
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    // Some tests install packages with native code, which is not loaded from where nothing may be executed.
    const isNoexec = /^\S+ \/dev\/shm \S+ \S*\bnoexec\b/mu.test(await readFile('/proc/mounts', 'utf8'));
    return isNoexec || bavail * bsize < ROOM_BYTES ? tmpdir() : MEMORY;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return tmpdir(); // Not Linux.
  }
}

const PREFIX = 'contextloom-test-';

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/** A run that was killed could not remove its folder, which may be in memory. */
async function removeStale(place) {
  for (const name of await readdir(place)) {
    if (!name.startsWith(PREFIX) || isAlive(parseInt(name.slice(PREFIX.length), 10))) continue;
    await rm(join(place, name), { recursive: true, force: true }).catch((error) => {
      if (!['EACCES', 'EPERM'].includes(error.code)) throw error; // Another user's.
    });
  }
}

/** Runs before the first suite; workers inherit the environment. */
export async function setup() {
  const place = await findPlace();
  await removeStale(place);
  const folder = await mkdtemp(join(place, `${PREFIX}${process.pid}-`));
  // A Postgres server of the fault runs is another user, who has to get through to a folder of its own in here.
  await chmod(folder, 0o711);
  process.env.CONTEXTLOOM_TEST_RUN = folder;
  process.env.TMPDIR = folder;
  // What a server keeps where nothing else is said would lie among the memories of whoever runs the tests.
  process.env.XDG_DATA_HOME = join(folder, 'data');
  process.env.XDG_CONFIG_HOME = join(folder, 'config');
  process.env.CONTEXTLOOM_TEST_PID = String(process.pid);
}

/** Runs after the last suite: ends what was started for all of them. */
export async function teardown() {
  const folder = process.env.CONTEXTLOOM_TEST_RUN;
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.pid')) continue;
    try {
      process.kill(Number(await readFile(join(folder, name), 'utf8')));
    } catch (error) {
      if (error.code !== 'ESRCH') throw error; // It has ended by itself.
    }
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
