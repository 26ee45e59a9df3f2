import type { Unreached } from '@contextloom/contracts';
import { toBuiltFile } from '../threads/built-file.ts';
import { createReadingThreads } from '../threads/reading-threads.ts';
import type { Erased, EraseOptions } from './erase-deleted.ts';

const eraseWorker = toBuiltFile('erasing/erase-worker.js');

/** {@link eraseDeleted} in a thread of its own, so that other calls are answered meanwhile. @throws ContextloomError as it does */
export async function eraseInThread(options: EraseOptions): Promise<Erased> {
  const thread = createReadingThreads<null>({ file: eraseWorker, workerData: options, size: 1 });
  try {
    return (await thread.run(null)) as Erased;
  } finally {
    await thread.close();
  }
}

/**
 * The same, in the words of a receipt: what could not be erased, and why.
 * @throws ContextloomError as {@link eraseDeleted} does
 */
export async function eraseFile(options: EraseOptions): Promise<readonly Unreached[]> {
  if ((await eraseInThread(options)) === 'nothing') return [];
  const why = 'another process went on reading it: try again, or end that process';
  return [{ what: `${options.file}-wal`, why }];
}
