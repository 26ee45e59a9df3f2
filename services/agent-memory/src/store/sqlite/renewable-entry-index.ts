import { renameSync, statSync } from 'node:fs';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { isDamagedError, withStorageErrors } from '@contextloom/sqlite';
import type { EntryIndex, RenewableIndex } from '../../domain/ports/entry-index.ts';
import { hasErrorCode } from '../files/file-errors.ts';
import { openSqliteEntryIndex, type SqliteEntryIndexOptions } from './sqlite-entry-index.ts';

/** What an index that is renewed is opened with. */
export interface RenewableEntryIndexOptions extends SqliteEntryIndexOptions {
  readonly clock: () => Date;
}

const MAX_TRIES = 3;

/** Which file has the name at this moment; undefined for none. */
function identify(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** Gives the files of a database other names. @returns the new name */
function setAside(file: string, time: Date): string {
  const kept = `${file}.damaged-${time.toISOString().replaceAll(':', '-')}`;
  for (const suffix of ['', '-wal', '-shm']) {
    try {
      renameSync(`${file}${suffix}`, `${kept}${suffix}`);
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT')) throw error;
    }
  }
  return kept;
}

/**
 * Opens an index that is derived from files, so that no damage to its own file is a loss: a damaged file is set aside, and an
 * empty index takes its place, at the start or when it is next used.
 * @throws ContextloomError `unavailable`, `no_space`
 */
export async function openRenewableEntryIndex(options: RenewableEntryIndexOptions): Promise<RenewableIndex> {
  const { file, clock, log } = options;
  let opened: string | undefined;
  let isStale = false;

  /** Another process may have set the same file aside by now: what is there then is its new one. */
  function replace(damaged: string | undefined, cause: unknown): void {
    if (damaged === undefined || identify(file) !== damaged) return;
    const kept = setAside(file, clock());
    log.warn({ file, kept, cause }, 'the index is damaged: it was set aside, and is made again from the files');
  }
  async function open(): Promise<EntryIndex> {
    for (let tries = 1; ; tries += 1) {
      const before = identify(file);
      try {
        const index = await openSqliteEntryIndex(options);
        opened = identify(file);
        return index;
      } catch (error) {
        if (!isDamagedError(error) || tries >= MAX_TRIES) throw error;
        replace(before, error);
      }
    }
  }
  let current = await open();

  function toOwnError(error: unknown): unknown {
    isStale ||= isDamagedError(error) || (isContextloomError(error) && identify(file) !== opened);
    if (!isStale) return error;
    const message =
      'the index of the workspace is damaged or was replaced, and is made again from the files: try again';
    return new ContextloomError('unavailable', message, { cause: error });
  }
  /** A call of whichever index is the current one, that notes what says that it is of no more use. */
  function call<Arguments extends readonly unknown[], Result>(
    choose: (index: EntryIndex) => (...given: Arguments) => Result,
  ): (...given: Arguments) => Result {
    const tell = (error: unknown): never => {
      throw toOwnError(error);
    };
    return (...given) => {
      try {
        const result = withStorageErrors(() => choose(current)(...given));
        return result instanceof Promise ? (result.catch(tell) as Result) : result;
      } catch (error) {
        return tell(error);
      }
    };
  }
  return {
    stamps: call((index) => index.stamps),
    stampOf: call((index) => index.stampOf),
    summaryOf: call((index) => index.summaryOf),
    put: call((index) => index.put),
    remove: call((index) => index.remove),
    get: call((index) => index.get),
    ofFile: call((index) => index.ofFile),
    filesOf: call((index) => index.filesOf),
    editsOf: call((index) => index.editsOf),
    filesWaitingFor: call((index) => index.filesWaitingFor),
    list: call((index) => index.list),
    search: call((index) => index.search),
    ended: call((index) => index.ended),
    addReceipts: call((index) => index.addReceipts),
    completeVectors: call((index) => index.completeVectors),
    countWaiting: call((index) => index.countWaiting),
    clear: call((index) => index.clear),
    eraseRemoved: call((index) => index.eraseRemoved),
    count: call((index) => index.count),
    close: () => current.close(),
    isStale: () => isStale,
    renew: async () => {
      if (!isStale) return;
      await current.close().catch((cause: unknown) => log.warn({ cause }, 'the damaged index could not be closed'));
      replace(opened, undefined);
      current = await open();
      isStale = false;
    },
  };
}
