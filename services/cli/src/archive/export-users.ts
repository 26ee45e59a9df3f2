import { EXPORT_USER, type ExportEverywherePage, type Unreached } from '@contextloom/contracts';
import type { Aggregator } from '../aggregator.ts';
import { type ArchivedStore, FORMAT, type Manifest, VERSION } from './manifest.ts';
import { type ArchiveEntry, type ArchiveWriter, createArchiveWriter } from './write-archive.ts';

/** A page may wait for a server that starts. */
const TIMEOUT_MS = 600_000;

/** What is exported, from where, and where to. */
export interface ExportUsersOptions {
  readonly aggregator: Pick<Aggregator, 'call'>;
  readonly users: readonly string[];
  readonly file: string;
  /** Gets how many users are done. */
  readonly onUser?: (done: number) => void;
}

type Missed = Unreached & { readonly server: string };

async function* readPages(aggregator: Pick<Aggregator, 'call'>, user_id: string): AsyncGenerator<ExportEverywherePage> {
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const args = { user_id, ...(cursor !== undefined && { cursor }) };
    const page = await aggregator.call(EXPORT_USER, args, { timeoutMs: TIMEOUT_MS });
    yield page;
    cursor = page.next_cursor;
  }
}

const countLines = (text: string): number => text.split('\n').length - 1;

/** Writes what all servers have of a user, each into an entry of its own. */
async function exportUser(
  user: string,
  folder: string,
  { aggregator, writer }: { readonly aggregator: Pick<Aggregator, 'call'>; readonly writer: ArchiveWriter },
): Promise<{ readonly stores: readonly ArchivedStore[]; readonly unreached: readonly Missed[] }> {
  const stores: ArchivedStore[] = [];
  const unreached: Missed[] = [];
  let open: { readonly entry: ArchiveEntry; readonly store: Omit<ArchivedStore, 'sha256'> } | undefined;
  let records = 0;
  const end = async (): Promise<void> => {
    if (open !== undefined) stores.push({ ...open.store, records, sha256: await open.entry.end() });
    open = undefined;
    records = 0;
  };
  for await (const { server, service, format, version, lines, unreached: missed } of readPages(aggregator, user)) {
    unreached.push(...missed);
    if (lines === '') continue;
    if (open?.store.server !== server) {
      await end();
      const file = `${folder}/${encodeURIComponent(server)}.jsonl`;
      open = { entry: writer.add(file), store: { file, server, service, format, version, records: 0 } };
    }
    await open.entry.write(lines);
    records += countLines(lines);
  }
  await end();
  return { stores, unreached };
}

/**
 * Writes an archive of users while the servers go on.
 * @returns its manifest
 * @throws ContextloomError what the aggregator answers; then there is no file
 */
export async function exportUsers(options: ExportUsersOptions): Promise<Manifest> {
  const { aggregator, users, file, onUser = () => undefined } = options;
  const writer = await createArchiveWriter(file);
  try {
    const exported: Manifest['users'] = [];
    const unreached = new Map<string, Missed>();
    for (const [at, user_id] of users.entries()) {
      const { stores, unreached: missed } = await exportUser(user_id, `users/${at + 1}`, { aggregator, writer });
      exported.push({ user_id, stores: [...stores] });
      for (const one of missed) unreached.set(JSON.stringify(one), one);
      onUser(at + 1);
    }
    const manifest: Manifest = {
      format: FORMAT,
      version: VERSION,
      users: exported,
      unreached: [...unreached.values()],
    };
    await writer.finish(manifest);
    return manifest;
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}
