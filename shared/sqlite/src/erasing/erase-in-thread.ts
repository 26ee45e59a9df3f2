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
