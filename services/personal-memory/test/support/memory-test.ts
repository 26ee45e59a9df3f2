import { afterEach, beforeEach } from '@jest/globals';
import type { MemoryStore } from '../../src/domain/store.ts';
import {
  connect,
  createClock,
  type MemoryClient,
  makeFolder,
  openStore,
  removeFolder,
  type ServerChoice,
} from './memory.ts';

/** A memory of ann's that each test begins with, empty. */
export interface MemoryTest {
  folder: string;
  store: MemoryStore;
  clock: ReturnType<typeof createClock>;
  ann: MemoryClient;
}

/** Gives each test of a file an empty memory; in a file of its folder unless `open` makes another store. */
export function useMemory(
  choice: ServerChoice = {},
  open: (folder: string) => MemoryStore | Promise<MemoryStore> = openStore,
): MemoryTest {
  const test = {} as MemoryTest;
  beforeEach(async () => {
    test.folder = makeFolder();
    test.store = await open(test.folder);
    test.clock = createClock();
    test.ann = await connect(test.store, { userId: 'ann', clock: test.clock, ...choice });
  });
  afterEach(async () => {
    await test.ann.close();
    await test.store.close();
    removeFolder(test.folder);
  });
  return test;
}
