import { silentLog } from '@contextloom/runtime';
import { afterAll, beforeAll } from '@jest/globals';
import { type LocalService, startLocalService } from '../../../knowledge-base/test/support/local-service.ts';
import type { MemoryStore } from '../../src/domain/memory-store.ts';
import { createHttpMemoryStore } from '../../src/open-memory-store.ts';
import { describeMemoryStore } from './memory-store.contract.ts';

let service: LocalService | undefined;
let store: MemoryStore | undefined;
beforeAll(async () => {
  service = await startLocalService();
  store = createHttpMemoryStore({ url: service.url, log: silentLog });
});
afterAll(async () => {
  await store?.close();
  await service?.stop();
});

describeMemoryStore('memories over HTTP', () => {
  if (store === undefined) throw new Error('the store was not opened');
  return store;
});
