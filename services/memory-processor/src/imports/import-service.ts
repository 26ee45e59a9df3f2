import { Readable } from 'node:stream';
import { ContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import { openSource, type ReadSourceOptions } from '@contextloom/transcripts';
import type { GraphStore } from '../domain/graph-store.ts';
import type {
  ImportProgress,
  ImportRecords,
  Journal,
  JournalFailure,
  JournalImport,
} from '../domain/imports/journal.ts';
import type { MemoryProcessor } from '../domain/memory-processor.ts';
import type { MemoryStore } from '../domain/memory-store.ts';
import { refuseUnknownMe } from './ask.ts';
import type { ImportRequest } from './import-request.ts';
import { type Plan, planImport } from './plan-import.ts';
import type { LeftOutPage } from './preview.ts';
import type { ReadLater } from './read-later.ts';
import { runImport, toImportId } from './run-import.ts';
import { type Undone, undoImport } from './undo-import.ts';
import { refuseDatabase, type Uploads } from './uploads.ts';

/** How a file that was handed in is read. */
export type HowToRead = Pick<ReadSourceOptions, 'me' | 'timezone' | 'format'>;

/** A file that was handed in, and how it is read. */
export interface ImportOrder extends HowToRead {
  readonly userId: string;
  readonly upload: string;
}

/** An import as a person follows it: `cut_off` where its process ended, and the same file again goes on with it. */
export interface FollowedImport extends Omit<JournalImport, 'state'> {
  readonly state: JournalImport['state'] | 'cut_off';
  readonly failures: readonly JournalFailure[];
  /** While it is under way, here or where it can be reached. */
  readonly progress?: ImportProgress | undefined;
}

/** Where people hand in files, see what is in them, have them imported, and take imports back. */
export interface ImportService {
  readonly upload: Uploads['append'];
  /** Reads a file that was handed in, saving nothing. */
  readonly preview: (order: ImportOrder, signal: AbortSignal, leftOut?: LeftOutPage) => Promise<Plan>;
  /** Begins an import, which goes on after the answer. @throws ContextloomError `conflict` while one of the user is under way */
  readonly start: (order: ImportOrder, signal: AbortSignal) => Promise<{ readonly id: string; readonly total: number }>;
  readonly list: (userId: string) => Promise<readonly FollowedImport[]>;
  /** Takes an import back; one that is under way is stopped first. @throws ContextloomError `not_found` */
  readonly undo: (userId: string, id: string) => Promise<Undone>;
  /** Ends what is under way for a user, and removes the files that were handed in; answers how many there are. */
  readonly forget: (userId: string, isDryRun: boolean) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** What the desk works with. */
export interface ImportServiceOptions {
  readonly processor: MemoryProcessor;
  readonly memories: MemoryStore;
  readonly graph: GraphStore;
  readonly uploads: Uploads;
  /** Has read later what waits for a budget. */
  readonly readLater?: ReadLater | undefined;
  /** Opens what is kept of imports, at the first need; of several calls all get the same. */
  readonly openImports: () => Promise<ImportRecords>;
  /** Whether there may be any. */
  readonly hasImports?: () => boolean;
  readonly clock: () => Date;
  readonly log: Log;
}

interface Run {
  readonly id: string;
  readonly order: ImportOrder;
  readonly signal: AbortSignal;
  readonly release: () => Promise<void>;
  /** Called when the journal has it. */
  readonly onBegun: () => void;
  readonly onProgress: (turns: number) => void;
}

interface Job {
  readonly id: string;
  readonly total: number;
  done: number;
  readonly stop: () => void;
  ended: Promise<void>;
}

/** Failures of an import that are shown; the journal has all. */
const MAX_FAILURES = 100;

/** Opens the desk; nothing is opened or read before somebody hands something in. */
export function createImportService(options: ImportServiceOptions): ImportService {
  const { processor, memories, graph, uploads, readLater, clock, log, openImports, hasImports = () => true } = options;
  const jobs = new Map<string, Job>();

  async function withRequest<T>(
    { userId, upload, ...how }: ImportOrder,
    signal: AbortSignal,
    work: (request: ImportRequest<string>) => Promise<T>,
  ): Promise<T> {
    const { file, name } = await uploads.find(userId, upload);
    await refuseDatabase(file);
    const { me, format, timezone } = how;
    const source = await openSource(file, name, Readable.from([]));
    // A file by itself is called as its owner calls it: its kind may be known by its name alone.
    const named = {
      ...source,
      entries: source.entries.map((one) => (one.path === file ? { ...one, path: name } : one)),
    };
    // In the order of the command's own, since an import is known by how it is read.
    const read = { me: me ?? [], format, timezone, signal };
    return work({ sources: [named], userId, read, forceSave: false }).finally(source.close);
  }

  const preview: ImportService['preview'] = (order, signal, leftOut) =>
    withRequest(order, signal, (request) => planImport({ ...request, leftOut }, { processor }));

  /** Runs to its end, however it ends, and tells the log what nobody waits for. */
  async function run({ id, order, signal, release, ...telling }: Run): Promise<void> {
    const { onBegun, onProgress } = telling;
    const { journal } = await openImports();
    const noting: Journal = {
      ...journal,
      begin: async (one) => {
        await journal.begin(one);
        onBegun();
      },
    };
    try {
      const outcome = await withRequest(order, signal, (request) =>
        runImport(id, request, { processor, graph, journal: noting, readLater, onProgress }),
      );
      if (!outcome.isStopped) await uploads.remove(order.userId, order.upload);
    } catch (cause) {
      log.error({ cause, import: id }, 'an import ended early; the same file again goes on with it');
      await journal.end(id, 'stopped').catch(() => undefined);
    } finally {
      await release().catch((failure: unknown) => log.warn({ cause: failure, import: id }, 'its lock ends by itself'));
    }
  }

  const start: ImportService['start'] = async (order, signal) => {
    refuseSecond(jobs.get(order.userId));
    const { digests, previews } = await preview(order, signal);
    const total = previews.reduce((sum, { turns }) => sum + turns, 0);
    if (total === 0 && previews.every((one) => one.graph === undefined))
      throw new ContextloomError('invalid', 'there is nothing to import in it', { field: 'upload' });
    refuseUnknownMe(order.me ?? [], previews);
    const { locks } = await openImports();
    const id = await withRequest(order, signal, async (request) => toImportId(digests, request));
    for (const { id: other } of await listRunning(order.userId)) refuseSecond(other === id ? undefined : { id: other });
    const stopping = new AbortController();
    const job: Job = { id, total, done: 0, stop: () => stopping.abort(), ended: Promise.resolve() };
    const onProgress = (turns: number): void => {
      job.done = turns;
    };
    const release = await locks.take(id, {
      onStop: () => stopping.abort(),
      progress: () => ({ done: job.done, total }),
    });
    // Another one may have begun while this one was looked at.
    const begunMeanwhile = jobs.get(order.userId);
    if (begunMeanwhile !== undefined) await release();
    refuseSecond(begunMeanwhile);
    let onBegun = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      onBegun = resolve;
    });
    const { signal: stopped } = stopping;
    jobs.set(order.userId, job);
    job.ended = run({ id, order, signal: stopped, release, onProgress, onBegun }).finally(() =>
      jobs.delete(order.userId),
    );
    // Whoever has the answer finds the import in the list.
    await Promise.race([begun, job.ended]);
    return { id, total };
  };

  const stop = async (job: Job | undefined): Promise<void> => {
    job?.stop();
    await job?.ended;
  };

  /** Those of a user that a process works on, whichever. */
  const listRunning = async (userId: string): Promise<readonly JournalImport[]> => {
    if (!hasImports()) return [];
    const { journal, locks } = await openImports();
    const running = (await journal.list(userId)).filter(({ state }) => state === 'running');
    const looked = await Promise.all(
      running.map(async (one) => ((await locks.look(one.id)) === undefined ? [] : [one])),
    );
    return looked.flat();
  };

  const toFollowed = async (one: JournalImport): Promise<FollowedImport> => {
    const { journal, locks } = await openImports();
    const job = jobs.get(one.userId);
    const failures = (await journal.failures(one.id)).slice(0, MAX_FAILURES);
    if (one.state !== 'running') return { ...one, failures };
    if (job?.id === one.id) return { ...one, failures, progress: { done: job.done, total: job.total } };
    const held = await locks.look(one.id);
    return { ...one, failures, state: held === undefined ? 'cut_off' : 'running', progress: held?.progress };
  };

  /** Ends an import that this process or another one works on. */
  const stopAnywhere = async (userId: string, id: string): Promise<void> => {
    const job = jobs.get(userId);
    if (job?.id === id) return stop(job);
    await (await openImports()).locks.stop(id);
  };

  return {
    upload: uploads.append,
    preview,
    start,
    list: async (userId) => {
      if (!hasImports()) return [];
      const { journal } = await openImports();
      return Promise.all((await journal.list(userId)).map(toFollowed));
    },
    undo: async (userId, id) => {
      const { journal, locks } = await openImports();
      const one = await journal.get(id);
      // An import of somebody else is not said to be there.
      if (one?.userId !== userId)
        throw new ContextloomError('not_found', `there is no import "${id}"`, { field: 'id' });
      await stopAnywhere(userId, id);
      const release = await locks.take(id, { onStop: () => undefined, progress: () => ({ done: 0, total: 0 }) });
      return undoImport(id, { memories, graph, journal, clock }).finally(release);
    },
    forget: async (userId, isDryRun) => {
      const count = await uploads.count(userId);
      if (isDryRun) return count;
      await stop(jobs.get(userId));
      for (const { id } of await listRunning(userId)) await stopAnywhere(userId, id);
      await uploads.removeAll(userId);
      return count;
    },
    close: async () => {
      await Promise.all([...jobs.values()].map(stop));
    },
  };
}

function refuseSecond(job: Pick<Job, 'id'> | undefined): void {
  if (job === undefined) return;
  throw new ContextloomError('conflict', `import ${job.id} of this user is under way: wait for its end, or undo it`);
}
