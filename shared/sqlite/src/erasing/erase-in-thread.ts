import { createReadingThreads } from '../threads/reading-threads.ts';
import type { Erased, EraseOptions } from './erase-deleted.ts';

/** In dist whichever is running, as the program of reading threads. */
const eraseWorker = new URL('../../dist/erasing/erase-worker.js', import.meta.url);

/** {@link eraseDeleted} in a thread of its own, so that other calls are answered meanwhile. @throws ContextloomError as it does */
export async function eraseInThread(options: EraseOptions): Promise<Erased> {
  const thread = createReadingThreads<null>({ file: eraseWorker, workerData: options, size: 1 });
  try {
    return (await thread.run(null)) as Erased;
  } finally {
    await thread.close();
  }
}
