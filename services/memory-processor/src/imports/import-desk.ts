import { Readable } from 'node:stream';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import { openSource, type ReadSourceOptions } from '@contextloom/transcripts';
import type { GraphStore } from '../domain/graph-store.ts';
import type { MemoryProcessor } from '../domain/memory-processor.ts';
import type { MemoryStore } from '../domain/memory-store.ts';
import { refuseUnknownMe } from './ask.ts';
import type { ImportRequest } from './import-request.ts';
import { lockImport } from './journal/import-lock.ts';
import type { Journal, JournalFailure, JournalImport } from './journal/journal-types.ts';
import { type Plan, planImport } from './plan-import.ts';
import type { LeftOutPage } from './preview.ts';
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
  /** While it is under way here. */
  readonly progress?: { readonly done: number; readonly total: number } | undefined;
}

/** Where people hand in files, see what is in them, have them imported, and take imports back. */
export interface ImportDesk {
  readonly upload: Uploads['append'];
  /** Reads a file that was handed in, saving nothing. */
  readonly preview: (order: ImportOrder, signal: AbortSignal, leftOut?: LeftOutPage) => Promise<Plan>;
  /** Begins an import, which goes on after the answer. @throws ContextloomError `conflict` while one of the user is under way */
  readonly start: (order: ImportOrder, signal: AbortSignal) => Promise<{ readonly id: string; readonly total: number }>;
  readonly list: (userId: string) => readonly FollowedImport[];
  /** Takes an import back; one that is under way is stopped first. @throws ContextloomError `not_found` */
  readonly undo: (userId: string, id: string) => Promise<Undone>;
  /** Ends what is under way for a user, and removes the files that were handed in; answers how many there are. */
  readonly forget: (userId: string, isDryRun: boolean) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** What the desk works with. */
export interface ImportDeskOptions {
  readonly processor: MemoryProcessor;
  readonly memories: MemoryStore;
  readonly graph: GraphStore;
  readonly uploads: Uploads;
  /** Opened at the first need. */
  readonly openJournal: () => Journal;
  /** Where imports are locked, so that the command does not work on the same one. */
  readonly dataDir: string;
  readonly clock: () => Date;
  readonly log: Log;
}

interface Run {
  readonly id: string;
  readonly order: ImportOrder;
  readonly signal: AbortSignal;
  readonly release: () => void;
  /** Called when the journal has it. */
  readonly onBegun: () => void;
  readonly onProgress: (turns: number) => void;
}

interface Job {
  readonly id: string;
  readonly total: number;
  done: number;
  readonly stop: () => void;
  readonly ended: Promise<void>;
}

/** Failures of an import that are shown; the journal has all. */
const MAX_FAILURES = 100;

/** Opens the desk; nothing is opened or read before somebody hands something in. */
export function createImportDesk(options: ImportDeskOptions): ImportDesk {
  const { processor, memories, graph, uploads, dataDir, clock, log } = options;
  const jobs = new Map<string, Job>();
  let opened: Journal | undefined;
  const journal = (): Journal => {
    opened ??= options.openJournal();
    return opened;
  };

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

  const preview: ImportDesk['preview'] = (order, signal, leftOut) =>
    withRequest(order, signal, (request) => planImport({ ...request, leftOut }, { processor }));

  /** Runs to its end, however it ends, and tells the log what nobody waits for. */
  async function run({ id, order, signal, release, ...telling }: Run): Promise<void> {
    const { onBegun, onProgress } = telling;
    const noting: Journal = {
      ...journal(),
      begin: (one) => {
        journal().begin(one);
        onBegun();
      },
    };
    try {
      const outcome = await withRequest(order, signal, (request) =>
        runImport(id, request, { processor, graph, journal: noting, onProgress }),
      );
      if (!outcome.isStopped) await uploads.remove(order.userId, order.upload);
    } catch (cause) {
      journal().end(id, 'stopped');
      log.error({ cause, import: id }, 'an import ended early; the same file again goes on with it');
    } finally {
      release();
    }
  }

  const start: ImportDesk['start'] = async (order, signal) => {
    refuseSecond(jobs.get(order.userId));
    const { digests, previews } = await preview(order, signal);
    const total = previews.reduce((sum, { turns }) => sum + turns, 0);
    if (total === 0 && previews.every((one) => one.graph === undefined))
      throw new ContextloomError('invalid', 'there is nothing to import in it', { field: 'upload' });
    refuseUnknownMe(order.me ?? [], previews);
    refuseSecond(jobs.get(order.userId));
    const id = await withRequest(order, signal, async (request) => toImportId(digests, request));
    const stopping = new AbortController();
    const onProgress = (turns: number): void => {
      job.done = turns;
    };
    const release = lockImport(dataDir, id);
    let onBegun = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      onBegun = resolve;
    });
    const { signal: stopped } = stopping;
    const ended = run({ id, order, signal: stopped, release, onProgress, onBegun }).finally(() =>
      jobs.delete(order.userId),
    );
    const job: Job = { id, total, done: 0, stop: () => stopping.abort(), ended };
    jobs.set(order.userId, job);
    // Whoever has the answer finds the import in the list.
    await Promise.race([begun, ended]);
    return { id, total };
  };

  const stop = async (job: Job | undefined): Promise<void> => {
    job?.stop();
    await job?.ended;
  };

  const toFollowed = (one: JournalImport): FollowedImport => {
    const job = jobs.get(one.userId);
    const isHere = job?.id === one.id;
    const failures = journal().failures(one.id).slice(0, MAX_FAILURES);
    const isCutOff = one.state === 'running' && !isHere && !isLocked(dataDir, one.id);
    return {
      ...one,
      failures,
      state: isCutOff ? 'cut_off' : one.state,
      ...(isHere && { progress: { done: job.done, total: job.total } }),
    };
  };

  return {
    upload: uploads.append,
    preview,
    start,
    list: (userId) =>
      journal()
        .list()
        .filter((one) => one.userId === userId)
        .map(toFollowed),
    undo: async (userId, id) => {
      const one = journal().get(id);
      // An import of somebody else is not said to be there.
      if (one?.userId !== userId)
        throw new ContextloomError('not_found', `there is no import "${id}"`, { field: 'id' });
      const job = jobs.get(userId);
      if (job?.id === id) await stop(job);
      const release = lockImport(dataDir, id);
      return undoImport(id, { memories, graph, journal: journal(), clock }).finally(release);
    },
    forget: async (userId, isDryRun) => {
      const count = await uploads.count(userId);
      if (isDryRun) return count;
      await stop(jobs.get(userId));
      await uploads.removeAll(userId);
      return count;
    },
    close: async () => {
      await Promise.all([...jobs.values()].map(stop));
      opened?.close();
    },
  };
}

function refuseSecond(job: Job | undefined): void {
  if (job === undefined) return;
  throw new ContextloomError('conflict', `import ${job.id} of this user is under way: wait for its end, or undo it`);
}

/** Whether another process works on it. */
function isLocked(dataDir: string, id: string): boolean {
  try {
    lockImport(dataDir, id)();
    return false;
  } catch (error) {
    if (isContextloomError(error) && error.code === 'conflict') return true;
    throw error;
  }
}
