import { setTimeout as sleep } from 'node:timers/promises';
import { isContextloomError } from '@contextloom/contracts';
import { withStorageErrors } from '../../database/errors.ts';
import { tryFileLock } from '../../files/file-lock.ts';
import type { FingerprintRecord } from './fingerprint.ts';
import type { RebuildIndex, RebuildIndexOptions, RebuildReport } from './rebuild.ts';

/** How an index is upgraded: as in a rebuild, except that an interrupted upgrade always goes on. */
export type UpgradeIndexOptions = Omit<RebuildIndexOptions, 'resume'>;

/** How often the rebuild of another process is looked at, in milliseconds. */
const LOOK_MS = 250;

/** Waits until it is time to look again, or until the signal aborts. */
async function wait(signal: AbortSignal | undefined): Promise<void> {
  await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined); // The caller asks the signal.
}

/**
 * Builds the function that derives an index again unless this program, as configured, derived it. One process at a time works on
 * it; the others wait, and go on from where it got if it is killed.
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
      if (isOwn()) return 'complete'; // The process that had the lock before has done it.
      return (await rebuild({ ...options, resume: true }, true)).kind;
    } catch (error) {
      if (isContextloomError(error) && error.code === 'conflict') return 'busy'; // A rebuild that a person started goes first.
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
