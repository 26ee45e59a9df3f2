import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ContextloomError } from '@contextloom/contracts';
import type { AnswerMessage, CallMessage, WorkerMessage } from './worker-calls.ts';

/** What a worker thread is started from. */
export interface WorkerThreadOptions {
  /** The built file that it runs, which calls `serveCalls`. */
  readonly file: URL;
  /** Plain data that it gets at its start. */
  readonly workerData: unknown;
}

/** A worker thread that answers one call at a time, and keeps the process alive only meanwhile. */
export interface WorkerThread {
  readonly hasEnded: boolean;
  /** @throws ContextloomError `unavailable` when the thread ends over the call */
  ask(call: CallMessage): Promise<AnswerMessage>;
  /** Ends it after the call that it has in hand. */
  end(): Promise<void>;
}

interface Asker {
  readonly resolve: (answer: AnswerMessage) => void;
  readonly reject: (error: unknown) => void;
}

function checkBuilt(file: URL): void {
  if (existsSync(file)) return;
  throw new ContextloomError(
    'unavailable',
    `${fileURLToPath(file)} is missing, which reads the store in threads of its own: run npm run build`,
  );
}

/**
 * Starts a worker thread.
 * @throws ContextloomError `unavailable` when its file has not been built
 */
export function startWorkerThread({ file, workerData }: WorkerThreadOptions): WorkerThread {
  checkBuilt(file);
  // Flags of the process, such as a loader's or those of `node --eval`, are not meant for its threads.
  const worker = new Worker(file, { workerData, execArgv: [] });
  let asker: Asker | undefined;
  let cause: unknown;
  let hasEnded = false;
  const settle = (settleAsker: (one: Asker) => void): void => {
    worker.unref();
    const settled = asker;
    asker = undefined;
    if (settled !== undefined) settleAsker(settled);
  };
  worker.unref();
  worker.on('message', (answer: AnswerMessage) => settle(({ resolve }) => resolve(answer)));
  worker.on('error', (error) => {
    cause = error; // The end follows.
  });
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      hasEnded = true;
      const options = { cause: cause ?? new Error(`exit code ${code}`) };
      const error = new ContextloomError('unavailable', 'the thread that read the store ended; try again', options);
      settle(({ reject }) => reject(error));
      resolve();
    });
  });
  const post = (message: WorkerMessage): void => worker.postMessage(message);
  return {
    get hasEnded() {
      return hasEnded;
    },
    ask: (call) =>
      new Promise((resolve, reject) => {
        post(call);
        asker = { resolve, reject };
        worker.ref(); // Whoever waits for an answer waits for the thread.
      }),
    end: () => {
      post({ kind: 'end' });
      worker.ref();
      return ended;
    },
  };
}
