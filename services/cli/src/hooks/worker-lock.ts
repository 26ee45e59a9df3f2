import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@contextloom/sqlite';

/** How often another worker is looked at, in milliseconds. */
const LOOK_MS = 200;

/** Takes the lock of workers, which the operating system frees however a worker ends; undefined while another one has it. */
function takeLock(folder: string): (() => void) | undefined {
  const database = openDatabase({ file: join(folder, 'worker.sqlite'), migrations: [], busyTimeoutMs: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return () => database.close();
  } catch (error) {
    database.close();
    if (String(Object(error).code).startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}

/** Waits until no worker works in a folder, and keeps others from it until the result is called. */
export async function lockWorkers(folder: string, signal: AbortSignal): Promise<() => void> {
  for (;;) {
    const unlock = takeLock(folder);
    if (unlock !== undefined) return unlock;
    await sleep(LOOK_MS, undefined, { signal });
  }
}
