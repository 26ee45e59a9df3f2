import { toDamagedError } from '../../database/errors.ts';
import { createReadingThreads } from '../../threads/reading-threads.ts';
import type { ReadTask } from '../search/reader.ts';
import { readWorker } from '../search/reading.ts';

/**
 * Has SQLite look through a whole file for damage (`PRAGMA quick_check`) in a thread of its own: half a second for 200 MB.
 * @throws ContextloomError `unavailable` when it is damaged, or cannot be read
 */
export async function checkIntegrity(file: string): Promise<void> {
  const thread = createReadingThreads<ReadTask>({ file: readWorker, workerData: { file, cacheBytes: 0 }, size: 1 });
  try {
    const outcome = await thread.run({ kind: 'read', statements: [{ sql: 'PRAGMA quick_check(1)', params: [] }] });
    const found = JSON.stringify(outcome);
    if (found !== '[[{"quick_check":"ok"}]]') throw toDamagedError(new Error(found));
  } finally {
    await thread.close();
  }
}
