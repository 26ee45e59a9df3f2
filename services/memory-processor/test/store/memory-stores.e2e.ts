import { silentLog } from '@contextloom/runtime';
import { afterAll, beforeAll } from '@jest/globals';
import type { MemoryStore } from '../../src/domain/memory-store.ts';
import { openMemoryStore } from '../../src/open-memory-store.ts';
import { createFolder, writeComposition } from '../support/knowledge-base.ts';
import { describeMemoryStore } from './memory-store.contract.ts';

let folder: Awaited<ReturnType<typeof createFolder>> | undefined;
let store: MemoryStore | undefined;
beforeAll(async () => {
  folder = await createFolder();
  const configFile = await writeComposition(folder.path);
  const config = { kbUrl: undefined, kbHost: undefined, kbPort: undefined, configFile };
  store = await openMemoryStore({ config, env: {}, log: silentLog });
});
afterAll(async () => {
  await store?.close();
  await folder?.remove();
});

describeMemoryStore('memories over MCP', () => {
  if (store === undefined) throw new Error('the store was not opened');
  return store;
});
