import { join } from 'node:path';
import { findBytes } from '@contextloom/testing/find-bytes';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MemoryStore } from '../src/domain/store.ts';
import {
  connect,
  createClock,
  type MemoryClient,
  makeFolder,
  openStore,
  removeFolder,
  schemes,
} from './support/memory.ts';

/** Every text that is ann's alone; her id is one of them. */
const ANN = 'ann-7f3a91';
const SECRETS = [ANN, 'Zanzibar', '桑给巴尔的老茶馆', 'harbour-master', 'third-pier'];
const EVENTS = 24;

describe.each(schemes)('deleting single memories, in the %s store', (scheme) => {
  it('leaves no byte of them once their bytes are erased, after a restart too', async () => {
    const folder = makeFolder();
    const first = openStore(folder, scheme);
    const ann = await connect(first, { userId: ANN, clock: createClock() });
    const add = (description: string, from?: readonly string[]) =>
      ann.ask('add_event', { event_type: 'activity', description, derived_from: from });
    for (let n = 0; n < EVENTS; n += 1) await add(`walked in Bergen ${'along the quay '.repeat(n % 9)}${n}`);
    const { event_id: id } = await add('Zanzibar: 桑给巴尔的老茶馆');
    await ann.ask('update_profile', { key: 'city', value: 'third-pier', derived_from: [`event:${id}`] });
    await ann.ask('create_entity', { entity_type: 'person', name: 'harbour-master', derived_from: [`event:${id}`] });
    expect(await first.eraseDeleted?.()).toBe(false);
    await ann.ask('delete_event', { event_id: id });
    await ann.close();
    await first.close();
    const words = SECRETS.filter((word) => word !== ANN);
    expect(findBytes(folder, words)).not.toEqual([]);
    const later = openStore(folder, scheme);
    expect(await later.eraseDeleted?.()).toBe(true);
    expect(findBytes(folder, words)).toEqual([]);
    expect(await later.eraseDeleted?.()).toBe(false);
    expect(await later.use(ANN, (memory) => memory.events())).toHaveLength(EVENTS);
    await later.close();
    removeFolder(folder);
  });
});

describe.each(schemes)('forgetting a user, in the %s store', (scheme) => {
  let folder: string;
  let store: MemoryStore;
  let client: MemoryClient;
  beforeEach(async () => {
    folder = makeFolder();
    store = openStore(folder, scheme);
    client = await connect(store, { userId: undefined, clock: createClock() });
    for (let n = 0; n < EVENTS; n += 1) {
      for (const [user_id, place] of [
        [ANN, 'Zanzibar'],
        ['bob', 'Bergen'],
      ]) {
        const description = `walked in ${place} ${'along the quay '.repeat(n % 9)}${n}`;
        await client.ask('add_event', { user_id, event_type: 'activity', description });
      }
    }
    for (const user_id of [ANN, 'bob']) {
      const isAnn = user_id === ANN;
      await client.ask('create_entity', { user_id, entity_type: 'person', name: isAnn ? 'harbour-master' : 'Ole' });
      await client.ask('update_profile', { user_id, key: 'tea', value: isAnn ? '桑给巴尔的老茶馆' : 'black' });
      await client.ask('update_profile', { user_id, key: 'tea', value: 'green' });
    }
    await client.ask('add_entity_alias', { user_id: ANN, entity_id: 1, alias: 'third-pier' });
    await backUp('2025-10-28T12:00:00Z');
  });
  afterEach(async () => {
    await client.close();
    await store.close();
    removeFolder(folder);
  });
  const backUp = (now: string) =>
    store.backUp({ folder: join(folder, 'backups'), now: new Date(now), minAgeMs: 0, keep: 5 });
  const forget = (dry_run: boolean) => client.ask('forget_user', { user_id: ANN, dry_run });
  const bobs = () =>
    Promise.all([
      client.ask('search_events', { user_id: 'bob', query: 'the quay in Bergen', limit: 50 }),
      client.ask('query_profile', { user_id: 'bob' }),
      client.ask('export_data', { user_id: 'bob' }),
    ]);

  it('leaves no byte of hers in any file, and all of the others', async () => {
    const before = await bobs();
    expect(new Set(findBytes(folder, SECRETS).map(({ text }) => text))).toEqual(new Set(SECRETS));
    const planned = await forget(true);
    expect(planned).toMatchObject({ dry_run: true, unreached: [] });
    expect(planned['erased']).toEqual(expect.arrayContaining([{ what: 'events', count: expect.any(Number) }]));
    expect(new Set(findBytes(folder, SECRETS).map(({ text }) => text))).toEqual(new Set(SECRETS));
    expect(await forget(false)).toEqual({ ...planned, dry_run: false });
    expect(findBytes(folder, SECRETS)).toEqual([]);
    expect(await bobs()).toEqual(before);
    expect(await client.ask('search_events', { user_id: ANN, query: 'Zanzibar' })).toMatchObject({ events: [] });
  });

  it('says the second time that nothing is left', async () => {
    await forget(false);
    expect(await forget(true)).toMatchObject({ erased: [], total: 0, unreached: [] });
    expect(await forget(false)).toMatchObject({ erased: [], total: 0, unreached: [] });
  });

  it('lets the others write meanwhile, and her begin again', async () => {
    const writes = Array.from({ length: 30 }, (_, n) =>
      client.ask('add_event', { user_id: 'bob', event_type: 'activity', description: `rowed ${n}` }),
    );
    const [receipt, ...written] = await Promise.all([forget(false), ...writes]);
    expect(receipt).toMatchObject({ unreached: [] });
    expect(written).toHaveLength(30);
    expect(findBytes(folder, SECRETS)).toEqual([]);
    const { events } = await client.ask('search_events', { user_id: 'bob', keywords: ['rowed'], limit: 100 });
    expect(events).toHaveLength(30);
    const again = await client.ask('add_event', { user_id: ANN, event_type: 'activity', description: 'new' });
    expect(again).toMatchObject({ event_id: 1 });
  });

  it('leaves nothing of her in backups made later, which the others are in', async () => {
    await forget(false);
    await client.ask('add_event', { user_id: 'bob', event_type: 'activity', description: 'moored the Bergensfjord' });
    expect(await backUp('2025-10-29T12:00:00Z')).not.toEqual([]);
    expect(findBytes(folder, SECRETS)).toEqual([]);
    const found = findBytes(join(folder, 'backups'), ['Bergensfjord']);
    expect(found.map(({ encoding }) => encoding)).toEqual(['UTF-8']);
  });
});
