import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError } from '@contextloom/contracts';

/** How old a lock is whose holder was killed, in milliseconds: a change takes a few. */
const STALE_MS = 10_000;
const ATTEMPTS = 500;
const WAIT_MS = 10;
/** A lock of a time to come was dated by a wrong clock, and its age says nothing: unchanged for so many looks, it is nobody's. */
const AHEAD_ATTEMPTS = 200;

/** Which lock a file is: one that is made later under the same name has another inode or time. */
const toIdentity = ({ ino, mtimeNs }: { readonly ino: bigint; readonly mtimeNs: bigint }): string =>
  `${ino}-${mtimeNs}`;

const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;

/**
 * Waits a few seconds for a lock that one process holds at a time, and takes over one whose holder was killed. The result
 * releases it.
 * @throws ContextloomError `conflict` when others hold it all the time
 */
export async function acquireFileLock(file: string): Promise<() => Promise<void>> {
  let seen = { identity: '', looks: 0 };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const own = await create(file);
    if (own !== undefined) return async () => void (await remove(file, own));
    const held = await look(file);
    const looks = held?.identity === seen.identity ? seen.looks + 1 : 0;
    seen = { identity: held?.identity ?? '', looks };
    if (held === undefined || !isStale(held.ageMs, looks) || !(await remove(file, held.identity))) await sleep(WAIT_MS);
  }
  throw new ContextloomError('conflict', `another process is changing the same file: remove ${file} if none is`);
}

/** Creates a file, which one process alone can; undefined where there is one. */
async function create(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      return toIdentity(await handle.stat({ bigint: true }));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return undefined;
    throw error;
  }
}

const isStale = (ageMs: number, looks: number): boolean =>
  ageMs > STALE_MS || (ageMs < -STALE_MS && looks >= AHEAD_ATTEMPTS);

/** Removes the claim of a killed process, which takes no time of those who wait: another look comes soon. */
async function removeStaleClaim(file: string): Promise<void> {
  const held = await look(file);
  if (held !== undefined && Math.abs(held.ageMs) > STALE_MS) await remove(file, held.identity);
}

/**
 * Removes one lock, and no other that took its place since it was looked at: only the process that creates the file named after
 * a lock may remove that lock. Without it, two processes that find the same stale lock remove it one after the other, and the
 * second one removes what the first one holds by then. False when another process is removing it.
 */
async function remove(file: string, identity: string): Promise<boolean> {
  const claim = `${file}.${identity}`;
  if ((await create(claim)) === undefined) {
    await removeStaleClaim(claim);
    return false;
  }
  try {
    if ((await look(file))?.identity === identity) await rm(file, { force: true });
  } finally {
    await rm(claim, { force: true });
  }
  return true;
}

async function look(file: string): Promise<{ readonly identity: string; readonly ageMs: number } | undefined> {
  try {
    const stats = await stat(file, { bigint: true });
    return { identity: toIdentity(stats), ageMs: Date.now() - Number(stats.mtimeMs) };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
