import type { Extracted } from './extract-window.ts';

/** Most memories that are sent to the store at once: progress is told after each batch. */
const MAX_BATCH = 50;
/** So many memories may wait for their turn before no further window is read. */
const MAX_WAITING = 100;

/** Saves what windows came to: at once when nothing is being saved, else together with what comes meanwhile. */
export interface BatchSaver {
  /** Takes what a window came to; resolves when more may be read. Rejects when the store failed. */
  readonly add: (extracted: Extracted) => Promise<void>;
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
 * @param maxUnsaved windows that may be unsaved before no further one is read: what a kill has a model read again
 */
export function createBatchSaver(
  save: (batch: readonly Extracted[]) => Promise<void>,
  maxUnsaved = Number.POSITIVE_INFINITY,
): BatchSaver {
  const waiting: Extracted[] = [];
  let saving: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let unsaved = 0;
  const isFull = (): boolean =>
    unsaved > maxUnsaved || waiting.reduce((sum, { documents }) => sum + documents.length, 0) > MAX_WAITING;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0 && failure === undefined) {
      const batch = takeBatch(waiting);
      await save(batch).catch((error: unknown) => {
        failure = { error };
      });
      unsaved -= batch.length;
    }
    saving = undefined;
  };
  const finish = async (): Promise<void> => {
    while (saving !== undefined) await saving;
    if (failure !== undefined) throw failure.error;
  };
  return {
    add: async (extracted) => {
      if (failure !== undefined) throw failure.error;
      waiting.push(extracted);
      unsaved += 1;
      saving ??= drain();
      if (isFull()) await saving;
    },
    finish,
  };
}
