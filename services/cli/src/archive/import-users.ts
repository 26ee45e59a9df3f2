import { ContextloomError, IMPORT_USER, type ImportReport, importReportSchema } from '@contextloom/contracts';
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
}

const empty = (): ImportReport => ({ imported: 0, known: 0, refused: [], refused_count: 0 });

const add = (a: ImportReport, b: ImportReport): ImportReport => ({
  imported: a.imported + b.imported,
  known: a.known + b.known,
  refused: [...a.refused, ...b.refused].slice(0, 100),
  refused_count: a.refused_count + b.refused_count,
});

/**
 * Takes an archive in. Every entry is read to its end first: of a damaged archive nothing is imported.
 * @throws ContextloomError `invalid` for a damaged archive, `not_found` for a user who is not in it, and what the aggregator answers
 */
export async function importUsers({ aggregator, file, user }: ImportUsersOptions): Promise<readonly ImportedStore[]> {
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
    const importStore = async (user_id: string, store: ArchivedStore): Promise<void> => {
      const { server, service, format, version } = store;
      let report = empty();
      for await (const lines of archive.pages(store)) {
        const args = { user_id, server, service, format, version, lines };
        report = add(report, await aggregator.call(IMPORT_USER, args, importReportSchema, { timeoutMs: TIMEOUT_MS }));
      }
      done.push({ user_id, server, ...report });
    };
    for (const { user_id, stores } of users) for (const store of stores) await importStore(user_id, store);
    return done;
  } finally {
    archive.close();
  }
}
