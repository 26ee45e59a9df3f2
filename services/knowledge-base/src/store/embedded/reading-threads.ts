import { createWorkerPool, type WorkerPool } from '@contextloom/sqlite';
import type { Synchronous } from '../../domain/store.ts';
import type { Filling } from '../filling.ts';
import type { Holding } from './reader.ts';

/** The calls that look through many documents, and that a thread of its own can answer. */
export type Reading = Synchronous<'find' | 'list' | 'stats'>;

/** What a thread that reads is given at its start. */
export interface ReadingSettings {
  readonly file: string;
  readonly filling: Filling;
  readonly holding: Holding;
}

// In dist whichever is running, since threads of Node 20 cannot load TypeScript: tests over the sources use the built one.
const file = new URL('../../../dist/store/embedded/read-worker.js', import.meta.url);

/** Builds the threads that read a store's file; none is started before the first call. */
export function createReadingThreads(settings: ReadingSettings, size: number): WorkerPool<Reading> {
  return createWorkerPool<Reading>({ file, workerData: settings, size });
}
