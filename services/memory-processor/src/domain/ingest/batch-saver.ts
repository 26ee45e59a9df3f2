import type { Extracted } from './extract-window.ts';

/** Most memories that are sent to the store at once: progress is reported after each batch. */
const MAX_BATCH = 50;
/** So many memories may wait for their turn before nothing further is read. */
const MAX_WAITING = 100;

/** What the windows that are read in one call came to. */
export type ExtractedUnit = readonly Extracted[];

/** Saves what windows came to: at once when nothing is being saved, else together with what comes meanwhile. */
export interface BatchSaver {
  /**
   * Resolves when the unit at this place may be read: to false when none is to be read any more.
   * Rejects when the store failed.
   */
  readonly mayRead: (place: number) => Promise<boolean>;
  /** Takes what a unit came to, in the order of the units; resolves when more may come. Rejects when the store failed. */
  readonly add: (unit: ExtractedUnit) => Promise<void>;
  /** Lets no further unit be read: one could not be, so that those after it cannot be saved. */
  readonly stopReading: () => void;
  /** Resolves when all is saved. */
  readonly finish: () => Promise<void>;
}

const countMemories = (unit: ExtractedUnit): number => unit.reduce((sum, { documents }) => sum + documents.length, 0);

function takeBatch(waiting: ExtractedUnit[]): readonly ExtractedUnit[] {
  let size = 0;
  const end = waiting.findIndex((unit, at) => {
    size += countMemories(unit);
    return at > 0 && size > MAX_BATCH;
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

/**
 * Builds a saver. The memories of a unit are never parted: what one call was paid for is saved at once, and a window counts as
 * recorded by its episode, which comes with its facts.
 * @param maxUnsaved units that may be read, being read or waiting, before one is saved: what a kill has a model read again
 * @param onSaved gets how many units were saved, or given up since the store failed
 */
export function createBatchSaver(
  save: (batch: readonly Extracted[]) => Promise<void>,
  maxUnsaved = Number.POSITIVE_INFINITY,
  onSaved: (units: number) => void = () => undefined,
): BatchSaver {
  const waiting: ExtractedUnit[] = [];
  const held: (() => void)[] = [];
  const letGo = (): void => {
    for (const resolve of held.splice(0)) resolve();
  };
  let saving: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let isStopped = false;
  let saved = 0;
  const isFull = (): boolean => waiting.reduce((sum, unit) => sum + countMemories(unit), 0) > MAX_WAITING;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0 && failure === undefined) {
      const batch = takeBatch(waiting);
      await save(batch.flat()).catch((error: unknown) => {
        failure = { error };
      });
      saved += batch.length;
      onSaved(batch.length);
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
    add: async (unit) => {
      if (failure !== undefined) throw failure.error;
      waiting.push(unit);
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
