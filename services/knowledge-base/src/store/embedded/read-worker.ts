import { parentPort, workerData } from 'node:worker_threads';
import { openReadOnly, serveCalls, withStorageErrors } from '@contextloom/sqlite';
import { createFillingRecord } from './filling.ts';
import { createReader } from './reader.ts';
import type { Reading, ReadingSettings } from './reading-threads.ts';

// A thread of `createReadingThreads`: a connection of its own over the store's file, for reading alone.
const { file, filling, holding }: ReadingSettings = workerData;
if (parentPort !== null) {
  serveCalls<Reading>(parentPort, () => {
    const database = openReadOnly(file);
    const { dimensions } = filling.embedder;
    const reader = createReader(database, createFillingRecord(database, filling), dimensions, holding);
    return {
      methods: {
        find: (...args) => withStorageErrors(() => reader.find(...args)),
        list: (...args) => withStorageErrors(() => reader.list(...args)),
        stats: (...args) => withStorageErrors(() => reader.stats(...args)),
      },
      close: () => void database.close(),
    };
  });
}
