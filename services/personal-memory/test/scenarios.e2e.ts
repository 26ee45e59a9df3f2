import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { makeFolder, removeFolder, type Scheme, schemes } from './support/memory.ts';

const server = fileURLToPath(new URL('../dist/server.js', import.meta.url));

let folder: string;
let client: Client;

async function start(storage: Scheme): Promise<void> {
  client = new Client({ name: 'v1', version: '0' });
  const env = { PERSONAL_MEMORY_DATA_DIR: folder, STORAGE: storage, LOG_LEVEL: 'error' };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [server, '--user-id', '小满'],
      env,
      stderr: 'inherit',
    }),
  );
}

/** The answer as its text tells it: lists are bare there. */
async function call(name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = (content as { text: string }[]).map((part) => part.text).join('');
  if (isError) throw new Error(text);
  return JSON.parse(text);
}

describe.each(schemes)('over stdio, with a client of the first SDK, in the %s store', (storage) => {
  beforeAll(async () => {
    folder = makeFolder();
    await start(storage);
  });
  afterAll(async () => {
    await client.close();
    removeFolder(folder);
  });

  it('我在北京的字节跳动上班', async () => {
    await call('update_profile', { key: 'workplace', value: '字节跳动', category: 'basic_info' });
    await call('update_profile', { key: 'work_location', value: '北京', category: 'basic_info' });
    const profile = await call('query_profile', { category: 'basic_info' });
    expect(profile).toMatchObject([
      { key: 'work_location', value: '北京' },
      { key: 'workplace', value: '字节跳动' },
    ]);
  });

  it('我养了只金毛叫旺财 – 旺财昨天生病了，花了 2000 块 – 旺财最近怎么样？', async () => {
    const { entity_id } = await call('create_entity', {
      entity_type: 'pet',
      name: '旺财',
      attributes: { breed: '金毛' },
    });
    const others: number[] = [];
    for (const name of ['小满', '阿澄'])
      others.push((await call('create_entity', { entity_type: 'person', name })).entity_id);
    await call('add_event', {
      event_type: 'milestone',
      description: '领养了金毛旺财',
      related_entity_ids: [entity_id, ...others],
      timestamp: '2025-10-20',
    });
    const pets = await call('list_entities', { entity_type: 'pet' });
    expect(pets).toMatchObject([{ id: entity_id, name: '旺财', attributes: { breed: '金毛' } }]);
    await call('add_event', {
      event_type: 'illness',
      description: '旺财生病就医',
      related_entity_ids: [entity_id],
      metadata: { cost: 2000 },
      timestamp: '2025-10-27T00:00:00Z',
    });
    for (const id of [entity_id, ...others]) {
      expect(await call('query_entity_timeline', { entity_id: id })).toContainEqual(
        expect.objectContaining({ description: '领养了金毛旺财', related_entity_ids: [entity_id, ...others] }),
      );
    }
    expect(await call('query_entity_timeline', { entity_id, limit: 5 })).toMatchObject([
      { event_type: 'illness', metadata: { cost: 2000 }, timestamp: '2025-10-27T00:00:00.000Z', importance: 0.5 },
      { event_type: 'milestone' },
    ]);
    expect(await call('resolve_entity', { text: '我的狗最近怎么样？' })).toMatchObject([{ entity_id }]);
  });

  it('我在 2023 年买了一套房，花了 500 万 – 我的资产有哪些？', async () => {
    const { entity_id } = await call('create_entity', { entity_type: 'property', attributes: { type: 'apartment' } });
    const metadata = { cost: 5_000_000 };
    await call('add_event', {
      event_type: 'purchase',
      description: '购买房产',
      related_entity_ids: [entity_id],
      metadata,
      timestamp: '2023-01-01T00:00:00Z',
    });
    expect(await call('list_entities', { entity_type: 'property' })).toMatchObject([{ id: entity_id, name: null }]);
    expect(await call('list_entities', { entity_type: 'vehicle' })).toEqual([]);
    expect(await call('search_events', { time_range: '2023', event_type: 'purchase' })).toMatchObject([{ metadata }]);
    await client.close();
    await start(storage); // Another process, another day: it is all there.
    expect(await call('summarize_entities', { entity_type: 'property' })).toMatchObject({
      entities: [{ id: entity_id, cost: { sum: 5_000_000 } }],
    });
  });
});
