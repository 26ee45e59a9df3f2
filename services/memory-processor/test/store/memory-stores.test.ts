import { join } from 'node:path';
import { silentLog } from '@contextloom/mcp-kit';
import { afterAll, beforeAll } from '@jest/globals';
import type { MemoryStore } from '../../src/domain/memory-store.ts';
import { createHttpMemoryStore, openMemoryStore } from '../../src/open-memory-store.ts';
import { createFolder, startKnowledgeBase, writeComposition } from '../support/knowledge-base.ts';
import { describeMemoryStore } from './memory-store.contract.ts';

const ends: (() => Promise<void>)[] = [];
let overHttp: MemoryStore | undefined;
let overMcp: MemoryStore | undefined;

beforeAll(async () => {
  const folder = await createFolder();
  const service = await startKnowledgeBase(join(folder.path, 'service'));
  overHttp = createHttpMemoryStore({ url: service.url, log: silentLog });
  const configFile = await writeComposition(folder.path);
  const config = { kbUrl: undefined, kbHost: undefined, kbPort: undefined, configFile };
  overMcp = await openMemoryStore({ config, env: {}, log: silentLog });
  ends.push(overHttp.close, overMcp.close, service.stop, folder.remove);
});

afterAll(async () => {
  for (const end of ends) await end();
});

function opened(store: MemoryStore | undefined): MemoryStore {
  if (store === undefined) throw new Error('the store was not opened');
  return store;
}

describeMemoryStore('memories over HTTP', () => opened(overHttp));
describeMemoryStore('memories over MCP', () => opened(overMcp));
