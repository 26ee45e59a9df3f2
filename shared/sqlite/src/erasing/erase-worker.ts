import { workerData } from 'node:worker_threads';
import type { TaskResult } from '../threads/reading-threads.ts';
import { toErrorMessage } from '../threads/thread-errors.ts';
import { eraseDeleted } from './erase-deleted.ts';

/** Erases in this thread. */
export default function run(): TaskResult {
  try {
    return { value: eraseDeleted(workerData) };
  } catch (error) {
    return { error: toErrorMessage(error) };
  }
}
