import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ContextloomError } from '@contextloom/contracts';
import pLimit from 'p-limit';
import { Piscina } from 'piscina';
import { toClosedError } from '../database/errors.ts';
import { type ErrorMessage, toError } from './thread-errors.ts';

/** The outcome of a task in a thread: a plain message would keep only the text of an error. */
export type TaskResult = { readonly value: unknown } | { readonly error: ErrorMessage };

/** Threads that each perform one task of plain data at a time. They keep the process alive only while a task runs. */
export interface ReadingThreads<Task> {
  /** @throws ContextloomError what the task threw; `unavailable` when two threads ended over it, or they are closed */
  run(task: Task): Promise<unknown>;
  /** Refuses the tasks that wait for a thread, lets the others end, and ends the threads. */
  close(): Promise<void>;
}

/** What the threads are made of. */
export interface ReadingThreadsOptions {
  /** The built file whose default export performs a task, and answers with a {@link TaskResult}. */
  readonly file: URL;
  /** Plain data that each gets at its start. */
  readonly workerData: unknown;
  /** Most threads; each is started when a task finds no idle one. */
  readonly size: number;
}

function checkBuilt(file: URL): void {
  if (existsSync(file)) return;
  throw new ContextloomError(
    'unavailable',
    `${fileURLToPath(file)} is missing, which reads the store in threads of its own: run npm run build`,
  );
}

/** Whether a message could not be sent, so that no thread has seen it. */
function isNotSent(error: unknown): boolean {
  return (error as Error | undefined)?.name === 'DataCloneError'; // Not by class: it may be another realm's.
}

/** Builds the threads; none is started before the first task. */
export function createReadingThreads<Task>({ file, workerData, size }: ReadingThreadsOptions): ReadingThreads<Task> {
  let isClosed = false;
  // Tasks wait here and not in the pool: its closing may end a thread that has one in hand.
  const limit = pLimit(size);
  const inHand = new Set<Promise<TaskResult>>();
  let pool: Piscina<Task, TaskResult> | undefined;
  const openPool = (): Piscina<Task, TaskResult> => {
    checkBuilt(file);
    pool ??= new Piscina<Task, TaskResult>({
      filename: file.href,
      workerData,
      minThreads: 0,
      maxThreads: size,
      idleTimeout: Number.POSITIVE_INFINITY,
      recordTiming: false,
      // Flags of the process, such as a loader's or those of `node --eval`, are not meant for its threads.
      execArgv: [],
    });
    return pool;
  };
  const attempt = async (task: Task): Promise<TaskResult> => {
    if (isClosed) throw toClosedError();
    return openPool().run(task);
  };
  const toEndedError = (cause: unknown): unknown => {
    if (isClosed) return toClosedError(cause);
    return new ContextloomError('unavailable', 'the thread that read the store ended; try again', { cause });
  };
  const perform = async (task: Task, isLastTry: boolean): Promise<TaskResult> => {
    try {
      return await attempt(task);
    } catch (error) {
      // A task answers with its own errors: what is thrown here is that of a thread that ended over it.
      if (error instanceof ContextloomError || isNotSent(error)) throw error;
      if (isClosed || isLastTry) throw toEndedError(error);
      return perform(task, true);
    }
  };
  return {
    run: async (task) => {
      const performed = limit(() => perform(task, false));
      inHand.add(performed);
      const result = await performed.finally(() => inHand.delete(performed));
      if ('error' in result) throw toError(result.error);
      return result.value;
    },
    close: async () => {
      isClosed = true;
      await Promise.allSettled(inHand);
      await pool?.destroy();
    },
  };
}
