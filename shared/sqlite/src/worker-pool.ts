import { ContextloomError } from '@contextloom/contracts';
import { type AnswerMessage, type CallMessage, toError, type WorkerMethods } from './worker-calls.ts';
import { startWorkerThread, type WorkerThread, type WorkerThreadOptions } from './worker-thread.ts';

/** What a pool is made of. */
export interface WorkerPoolOptions extends WorkerThreadOptions {
  /** Most threads at once; each is started when a call finds no idle one. */
  readonly size: number;
}

/** Some worker threads that answer calls, each one at a time. */
export interface WorkerPool<Methods extends WorkerMethods<Methods>> {
  /** @throws ContextloomError what the call threw; `unavailable` when threads ended over it, or the pool is closed */
  call<Name extends keyof Methods & string>(
    name: Name,
    ...args: Parameters<Methods[Name]>
  ): Promise<ReturnType<Methods[Name]>>;
  /** Refuses the calls that wait for a thread, lets the others end, and ends the threads. */
  close(): Promise<void>;
}

interface Turn {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function toClosedError(): ContextloomError {
  return new ContextloomError('unavailable', 'the store is closed');
}

/** Lets at most `size` at once have a turn, in the order in which they came. */
function createTurns(size: number) {
  const waiting: Turn[] = [];
  let taken = 0;
  return {
    take: (): Promise<void> =>
      new Promise((resolve, reject) => {
        if (taken === size) {
          waiting.push({ resolve, reject });
          return;
        }
        taken += 1;
        resolve();
      }),
    give: (): void => {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next.resolve();
    },
    refuse: (error: unknown): void => {
      for (const { reject } of waiting.splice(0)) reject(error);
    },
  };
}

/** The threads of a pool: started when needed, dropped when they ended. */
function createThreads(options: WorkerThreadOptions) {
  const all = new Set<WorkerThread>();
  const idle: WorkerThread[] = [];
  const take = (): WorkerThread => {
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
      if (!thread.hasEnded) return thread;
      all.delete(thread);
    }
    const thread = startWorkerThread(options);
    all.add(thread);
    return thread;
  };
  return {
    ask: async (call: CallMessage): Promise<AnswerMessage> => {
      const thread = take();
      try {
        return await thread.ask(call);
      } finally {
        if (thread.hasEnded) all.delete(thread);
        else idle.push(thread);
      }
    },
    end: async (): Promise<void> => {
      await Promise.all([...all].map((thread) => (thread.hasEnded ? undefined : thread.end())));
    },
  };
}

/** Builds a pool of worker threads over one file; none is started before the first call. */
export function createWorkerPool<Methods extends WorkerMethods<Methods>>({
  size,
  ...options
}: WorkerPoolOptions): WorkerPool<Methods> {
  const turns = createTurns(size);
  const threads = createThreads(options);
  let isClosed = false;
  const refuseClosed = (): void => {
    if (isClosed) throw toClosedError();
  };
  /** Asks once more when the thread ended over the call: reading twice does no harm. */
  const ask = async (call: CallMessage, isLast: boolean): Promise<AnswerMessage> => {
    refuseClosed();
    try {
      return await threads.ask(call);
    } catch (error) {
      if (isLast) throw error;
      return ask(call, true);
    }
  };
  return {
    call: async (name, ...args) => {
      refuseClosed();
      await turns.take();
      try {
        const answer = await ask({ kind: 'call', name, args }, false);
        if (answer.kind === 'error') throw toError(answer.error);
        return answer.value as ReturnType<Methods[typeof name]>;
      } finally {
        turns.give();
      }
    },
    close: async () => {
      isClosed = true;
      turns.refuse(toClosedError());
      await threads.end();
    },
  };
}
