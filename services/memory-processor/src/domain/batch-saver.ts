import type { Extracted } from './extract-window.ts';

/** Most memories that are sent to the store at once: progress is told after each batch. */
const MAX_BATCH = 50;
/** So many memories may wait for their turn before no further window is read. */
const MAX_WAITING = 100;

/** Saves what windows came to: at once when nothing is being saved, else together with what comes meanwhile. */
export interface BatchSaver {
  /**
   * Resolves when the window at this place may be read: to false when none is to be read any more.
   * Rejects when the store failed.
   */
  readonly mayRead: (place: number) => Promise<boolean>;
  /** Takes what a window came to, in the order of the windows; resolves when more may come. Rejects when the store failed. */
  readonly add: (extracted: Extracted) => Promise<void>;
  /** Lets no further window be read: one could not be, so that those after it cannot be saved. */
  readonly stopReading: () => void;
  /** Resolves when all is saved. */
  readonly finish: () => Promise<void>;
}

function takeBatch(waiting: Extracted[]): readonly Extracted[] {
  let size = 0;
  const end = waiting.findIndex(({ documents }, at) => {
    size += documents.length;
    return at > 0 && size > MAX_BATCH;
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

/**
 * Builds a saver. A window's memories are never parted: it counts as recorded by its episode, which comes with its facts.
 * @param maxUnsaved windows that may be read, being read or waiting, before one is saved: what a kill has a model read again
 */
export function createBatchSaver(
  save: (batch: readonly Extracted[]) => Promise<void>,
  maxUnsaved = Number.POSITIVE_INFINITY,
): BatchSaver {
  const waiting: Extracted[] = [];
  const held: (() => void)[] = [];
  const letGo = (): void => {
    for (const resolve of held.splice(0)) resolve();
  };
  let saving: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let isStopped = false;
  let saved = 0;
  const isFull = (): boolean => waiting.reduce((sum, { documents }) => sum + documents.length, 0) > MAX_WAITING;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0 && failure === undefined) {
      const batch = takeBatch(waiting);
      await save(batch).catch((error: unknown) => {
        failure = { error };
      });
      saved += batch.length;
      letGo();
    }
    saving = undefined;
  };
  const finish = async (): Promise<void> => {
    while (saving !== undefined) await saving;
    if (failure !== undefined) throw failure.error;
  };
  return {
    mayRead: async (place) => {
      while (!isStopped && failure === undefined && place - saved >= maxUnsaved) {
        await new Promise<void>((resolve) => held.push(resolve));
      }
      if (failure !== undefined) throw failure.error;
      return !isStopped;
    },
    add: async (extracted) => {
      if (failure !== undefined) throw failure.error;
      waiting.push(extracted);
      saving ??= drain();
      if (isFull()) await saving;
    },
    stopReading: () => {
      isStopped = true;
      letGo();
    },
    finish,
  };
}
