import { setTimeout as sleep } from 'node:timers/promises';
import { isContextloomError } from '@contextloom/contracts';
import { withStorageErrors } from '../errors.ts';
import { tryFileLock } from '../file-lock.ts';
import type { FingerprintRecord } from './fingerprint.ts';
import type { RebuildIndex, RebuildIndexOptions, RebuildReport } from './rebuild.ts';

/** How an index is upgraded: as it is rebuilt, but that an interrupted upgrade always goes on. */
export type UpgradeIndexOptions = Omit<RebuildIndexOptions, 'resume'>;

/** How long to wait before asking again what became of another process's rebuild, in milliseconds. */
const LOOK_MS = 250;

/** Waits until it is time to look again, or for less when the signal says so. */
async function wait(signal: AbortSignal | undefined): Promise<void> {
  await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined); // The caller asks the signal.
}

/**
 * Builds the function that derives an index again unless this program, as it is configured, derived it. One process at a time
 * is at it; the others wait, and go on with what it has done if it is killed.
 */
export function createUpgradeIndex(
  lockFile: string,
  record: FingerprintRecord,
  rebuild: RebuildIndex,
): (options: UpgradeIndexOptions) => Promise<RebuildReport['kind']> {
  const isOwn = (): boolean => withStorageErrors(record.isOwn);
  const tryToRebuild = async (options: UpgradeIndexOptions): Promise<RebuildReport['kind'] | 'busy'> => {
    const release = tryFileLock(lockFile);
    if (release === undefined) return 'busy';
    try {
      if (isOwn()) return 'complete'; // Who had the lock before has done it.
      return (await rebuild({ ...options, resume: true }, true)).kind;
    } catch (error) {
      if (isContextloomError(error) && error.code === 'conflict') return 'busy'; // A command that a person gave goes on.
      throw error;
    } finally {
      release();
    }
  };
  return async (options) => {
    for (;;) {
      if (isOwn()) return 'complete';
      if (options.signal?.aborted) return 'interrupted';
      const outcome = await tryToRebuild(options);
      if (outcome !== 'busy') return outcome;
      await wait(options.signal);
    }
  };
}
