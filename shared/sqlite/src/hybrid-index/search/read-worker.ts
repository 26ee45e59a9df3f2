import { workerData } from 'node:worker_threads';
import type { TaskResult } from '../../threads/reading-threads.ts';
import { toErrorMessage } from '../../threads/thread-errors.ts';
import { type IndexReader, openIndexReader, type ReadTask } from './reader.ts';

// A reading thread: a connection of its own, opened by the first task, so that what is wrong with it is an answer.
let reader: IndexReader | undefined;

/** Performs a task in this thread. */
export default function run(task: ReadTask): TaskResult {
  try {
    reader ??= openIndexReader(workerData);
    return { value: reader.perform(task) };
  } catch (error) {
    return { error: toErrorMessage(error) };
  }
}
