import { join } from 'node:path';
import { exportPageSchema } from '@contextloom/contracts';
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

/** More than one record of an export has. */
const EVENTS = 520;

describe.each(schemes)('a user who moves, in the %s store', (scheme) => {
  let folder: string;
  let stores: readonly MemoryStore[];
  let source: MemoryClient;
  let target: MemoryClient;
  beforeEach(async () => {
    folder = makeFolder();
    const clock = createClock();
    stores = ['source', 'target'].map((name) => openStore(join(folder, name), scheme));
    [source, target] = (await Promise.all(stores.map((store) => connect(store, { userId: undefined, clock })))) as [
      MemoryClient,
      MemoryClient,
    ];
    await fill(source);
  });
  afterEach(async () => {
    await Promise.all([source.close(), target.close(), ...stores.map((store) => store.close())]);
    removeFolder(folder);
  });

  /** Ids with gaps, events that are parts of others far before them, and values of before. */
  async function fill({ ask }: MemoryClient): Promise<void> {
    const user_id = 'ann';
    for (const name of ['Ole', 'Ida', 'Momo']) await ask('create_entity', { user_id, entity_type: 'person', name });
    await ask('delete_entity', { user_id, entity_id: 1 });
    await ask('add_entity_alias', { user_id, entity_id: 3, alias: '小猫' });
    await ask('create_entity_relation', { user_id, entity_id_1: 2, entity_id_2: 3, relation_type: 'feeds' });
    for (const value of ['Leith', 'Bergen']) await ask('update_profile', { user_id, key: 'city', value });
    const events = Array.from({ length: EVENTS }, (_, at) => ({
      event: at + 1,
      event_type: 'activity',
      description: `walk ${at} along quay ${at % 7}`,
      timestamp: new Date(Date.UTC(2025, 0, 1 + (at % 200), at % 24)).toISOString(),
    }));
    const data = JSON.stringify({ format: 'contextloom-personal-memory', version: 1, events });
    await ask('import_data', { user_id, format: 'json', data });
    const event = { user_id, event_type: 'activity', related_entity_ids: [3] };
    await ask('add_event', { ...event, description: 'a walk within a walk', parent_event_id: 20 });
    await ask('delete_event', { user_id, event_id: 7 });
    await ask('update_profile', { user_id: 'bob', key: 'city', value: 'Oslo' });
  }

  const exportAll = async (): Promise<readonly string[]> => {
    const pages: string[] = [];
    for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; ) {
      const page = exportPageSchema.parse(
        await source.ask('export_user', { user_id: 'ann', ...(cursor && { cursor }) }),
      );
      pages.push(page.lines);
      cursor = page.next_cursor;
    }
    return pages;
  };
  const importAll = async (pages: readonly string[]) => {
    const about = { user_id: 'ann', format: 'contextloom-personal-memory', version: 1 };
    for (const lines of pages)
      expect(await target.ask('import_user', { ...about, lines })).toMatchObject({ refused: [] });
  };
  const findingsOf = ({ ask }: MemoryClient) => {
    const user_id = 'ann';
    const queries = Array.from({ length: 10 }, (_, at) => `walk ${at * 97} along quay ${at % 7}`);
    return Promise.all([
      ...queries.map((query) => ask('search_events', { user_id, query, limit: 20 })),
      ask('list_entities', { user_id }),
      ask('query_entity_timeline', { user_id, entity_id: 3 }),
      ask('query_profile_history', { user_id, key: 'city' }),
      ask('resolve_entity', { user_id, text: '小猫' }),
    ]);
  };

  it('finds the same under the same ids, also when the export comes twice', async () => {
    const pages = await exportAll();
    expect(pages.join('')).not.toContain('Oslo');
    await importAll(pages);
    expect(await findingsOf(target)).toEqual(await findingsOf(source));
    const before = await target.ask('export_user', { user_id: 'ann' });
    await importAll(pages);
    expect(await target.ask('export_user', { user_id: 'ann' })).toEqual(before);
    const event = { user_id: 'ann', event_type: 'activity', description: 'the next one' };
    expect(await target.ask('add_event', event)).toEqual(await source.ask('add_event', event));
  });

  it('is listed with counts, and the others too', async () => {
    const counts = [{ what: 'facts', count: 1 }];
    const { users, bytes, unreached } = await source.ask('list_users', {});
    expect(users).toEqual([
      { user_id: 'ann', counts: expect.arrayContaining([{ what: 'events', count: EVENTS + 1 }, ...counts]) },
      { user_id: 'bob', counts: expect.arrayContaining(counts) },
    ]);
    expect(bytes).toBeGreaterThan(0);
    expect(unreached).toBeUndefined();
    const only = await connect(stores[0] as MemoryStore, { userId: 'bob', clock: createClock() });
    expect(await only.ask('list_users', {})).toMatchObject({
      users: [{ user_id: 'bob' }],
      unreached: [{ what: 'the memory of 1 other user', why: expect.stringContaining('--multi-user') }],
    });
    await only.close();
  });
});
