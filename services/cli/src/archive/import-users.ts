import { ContextloomError, IMPORT_USER, type ImportReport, isContextloomError } from '@contextloom/contracts';
import type { Aggregator } from '../aggregator.ts';
import type { ArchivedStore } from './manifest.ts';
import { openArchive } from './read-archive.ts';

const TIMEOUT_MS = 600_000;

/** What became of the records of one user at one server. */
export interface ImportedStore extends ImportReport {
  readonly user_id: string;
  readonly server: string;
}

/** What is imported, and into what. */
export interface ImportUsersOptions {
  readonly aggregator: Pick<Aggregator, 'call'>;
  readonly file: string;
  /** The only user to import; all of the archive without it. */
  readonly user?: string | undefined;
  /** Ends the import; what is taken in by then stays. */
  readonly signal?: AbortSignal | undefined;
}

const empty = (): ImportReport => ({ imported: 0, known: 0, refused: [], refused_count: 0 });

const add = (a: ImportReport, b: ImportReport): ImportReport => ({
  imported: a.imported + b.imported,
  known: a.known + b.known,
  refused: [...a.refused, ...b.refused].slice(0, 100),
  refused_count: a.refused_count + b.refused_count,
});

interface StoreImport extends Pick<ImportUsersOptions, 'aggregator' | 'signal'> {
  readonly userId: string;
  readonly store: ArchivedStore;
  readonly pages: AsyncIterable<string>;
}

/** Takes in what one server had of a user. A server that takes none of it does not keep the others from theirs. */
async function importStore({ userId, store, pages, aggregator, signal }: StoreImport): Promise<ImportedStore> {
  const { server, service, format, version, records } = store;
  let report = empty();
  for await (const lines of pages) {
    const args = { user_id: userId, server, service, format, version, lines };
    try {
      report = add(report, await aggregator.call(IMPORT_USER, args, { timeoutMs: TIMEOUT_MS }));
    } catch (error) {
      if (!isContextloomError(error) || signal?.aborted) throw error;
      const count = Math.max(1, records - report.imported - report.known - report.refused_count);
      const refused = [{ record: count === 1 ? '1 record' : `${count} records`, problem: error.message }];
      report = add(report, { imported: 0, known: 0, refused, refused_count: count });
      break;
    }
  }
  return { user_id: userId, server, ...report };
}

/**
 * Takes an archive in. Every entry is read to its end first: of a damaged archive nothing is imported.
 * @throws ContextloomError `invalid` for a damaged archive, `not_found` for a user who is not in it
 */
export async function importUsers({
  aggregator,
  file,
  user,
  signal,
}: ImportUsersOptions): Promise<readonly ImportedStore[]> {
  const archive = await openArchive(file);
  try {
    const users = archive.manifest.users.filter(({ user_id }) => user === undefined || user_id === user);
    if (users.length === 0 && user !== undefined) {
      const names = archive.manifest.users.map(({ user_id }) => JSON.stringify(user_id)).slice(0, 5);
      const message = `${file} has nothing of ${JSON.stringify(user)}; it has ${names.join(', ') || 'no user'}`;
      throw new ContextloomError('not_found', message, { field: '--user' });
    }
    for (const { stores } of users) for (const store of stores) await archive.check(store);
    const done: ImportedStore[] = [];
    for (const { user_id: userId, stores } of users) {
      for (const store of stores) {
        done.push(await importStore({ userId, store, pages: archive.pages(store), aggregator, signal }));
      }
    }
    return done;
  } finally {
    archive.close();
  }
}
