import { findUnfitSchemas } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MemoryStore } from '../src/domain/store.ts';
import { operations } from '../src/operations/index.ts';
import { connect, createClock, type MemoryClient, makeFolder, openStore, removeFolder } from './support/memory.ts';

const seedTools = [
  'update_profile',
  'query_profile',
  'delete_profile',
  'create_entity',
  'update_entity',
  'list_entities',
  'delete_entity',
  'add_event',
  'search_events',
  'query_entity_timeline',
];

describe.each(['old', 'new'] as const)('the tools of a personal memory, asked by the %s protocol', (era) => {
  const clock = createClock();
  let folder: string;
  let store: MemoryStore;
  let client: MemoryClient;
  beforeAll(async () => {
    folder = makeFolder();
    store = openStore(folder);
    client = await connect(store, { userId: 'ann', clock }, era);
  });
  afterAll(async () => {
    await client.close();
    await store.close();
    removeFolder(folder);
  });

  it('are those of the operations, fit for every client, titled and annotated, and hide the user', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(seedTools));
    expect(tools.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
    for (const { inputSchema, outputSchema, annotations, title } of tools) {
      expect([...findUnfitSchemas(inputSchema), ...findUnfitSchemas(outputSchema)]).toEqual([]);
      expect(Object.keys(inputSchema.properties ?? {})).not.toContain('user_id');
      expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean), openWorldHint: false });
      expect(title).not.toBe('');
    }
  });

  it('take an empty text or list for nothing where nothing may be given, and names without the space around them', async () => {
    await client.ask('update_profile', { key: ' tea ', value: 'green', category: '' });
    expect(await client.ask('query_profile', { keys: [], category: '' })).toMatchObject({
      profile: [{ key: 'tea', category: null }],
    });
    expect(await client.ask('update_profile', { key: 'tea', value: 'green' })).toMatchObject({
      had_previous_value: true,
    });
    await client.ask('delete_profile', { key: 'tea', erase_history: true });
    const nothing = { query: '', keywords: [], event_type: '', time_range: '', match_mode: 'any' };
    const { event_id } = await client.ask('add_event', { event_type: 'other', description: 'x', timestamp: '' });
    expect(await client.ask('search_events', nothing)).toMatchObject({ events: [{ id: event_id }] });
    expect(await client.ask('search_events', { event_ids: [] })).toEqual({ events: [] });
    await client.ask('delete_event', { event_id });
    expect(await client.ask('list_entities', { entity_type: '', status: '' })).toEqual({ entities: [] });
    expect(await client.fail('update_profile', { key: 'tea', value: '' })).toBe('value must not be blank');
  });

  it('remember facts about the user, tell what was there, and forget', async () => {
    const first = await client.ask('update_profile', { key: 'workplace', value: '字节跳动', category: 'basic_info' });
    expect(first).toMatchObject({ updated: true, had_previous_value: false, previous_value: null });
    clock.addDays(1);
    const second = await client.ask('update_profile', { key: 'workplace', value: '腾讯', category: null, tags: null });
    expect(second).toMatchObject({ had_previous_value: true, previous_value: '字节跳动', contradicts_today: [] });
    const { text, structured } = await client.callTool('query_profile', { keys: ['workplace'] });
    expect(JSON.parse(text)).toEqual((structured as { profile: unknown }).profile);
    expect(JSON.parse(text)).toEqual([
      {
        key: 'workplace',
        value: '腾讯',
        category: 'basic_info',
        updated_at: '2025-10-29T12:00:00.000Z',
        confidence: 1,
        tags: [],
      },
    ]);
    expect(await client.ask('query_profile', { category: 'habits' })).toEqual({ profile: [] });
    expect(await client.ask('delete_profile', { key: 'workplace' })).toEqual({ deleted: true, changes: 1 });
    expect(await client.ask('delete_profile', { key: 'workplace' })).toEqual({ deleted: false, changes: 0 });
  });

  it('show a key that was deleted and came again', async () => {
    await client.ask('update_profile', { key: 'tea', value: 'oolong' });
    await client.ask('delete_profile', { key: 'tea' });
    expect(await client.ask('update_profile', { key: 'tea', value: 'pu-erh' })).toMatchObject({
      had_previous_value: false,
    });
    expect(await client.ask('query_profile', { keys: ['tea'] })).toMatchObject({ profile: [{ value: 'pu-erh' }] });
  });

  it('keep every value of a fact, bring one back, flag what contradicts itself in a day, and trust old facts less', async () => {
    const key = 'city';
    for (const value of ['北京', '上海'])
      await client.ask('update_profile', { key, value, category: 'habits', confidence: 0.8 });
    clock.addDays(1);
    await client.ask('update_profile', { key, value: 'Leith' });
    const again = await client.ask('update_profile', { key, value: '杭州' });
    expect(again).toMatchObject({ previous_value: 'Leith', contradicts_today: ['Leith'] });
    const versions = (await client.ask('query_profile_history', { key }))['versions'] as {
      version: number;
      value: string;
    }[];
    expect(versions.map(({ value }) => value)).toEqual(['杭州', 'Leith', '上海', '北京']);
    expect(await client.ask('rollback_profile', { key })).toMatchObject({ value: 'Leith', previous_value: '杭州' });
    const to = versions.at(-1)?.version;
    expect(await client.ask('rollback_profile', { key, to })).toMatchObject({ rolled_back: true, value: '北京' });
    expect(await client.ask('query_profile', { keys: [key] })).toMatchObject({
      profile: [{ value: '北京', confidence: 0.8 }],
    });
    clock.addDays(365);
    expect(await client.ask('query_profile', { keys: [key] })).toMatchObject({ profile: [{ confidence: 0.4 }] });
    clock.addDays(-500); // The clock jumps back: nothing is trusted more than when it was stored.
    expect(await client.ask('query_profile', { keys: [key] })).toMatchObject({ profile: [{ confidence: 0.8 }] });
    clock.addDays(135);
    await client.ask('delete_profile', { key });
    expect(await client.ask('rollback_profile', { key })).toMatchObject({ value: '北京', previous_value: null });
    await client.ask('delete_profile', { key, erase_history: true });
    expect(await client.ask('rollback_profile', { key })).toMatchObject({
      rolled_back: false,
      message: expect.any(String),
    });
  });

  it('remember entities, merge their attributes key by key, and retire them', async () => {
    const { entity_id } = await client.ask('create_entity', {
      entity_type: 'pet',
      name: '旺财',
      attributes: { breed: '金毛', age: 3 },
    });
    const update = {
      entity_id,
      attributes: { age: 4, breed: null, __proto__: null, colour: 'gold' },
      tags: ['dog', 'dog'],
    };
    expect(await client.ask('update_entity', update)).toEqual({ updated: true, changes: 1 });
    expect(await client.ask('list_entities', { entity_type: 'pet' })).toMatchObject({
      entities: [{ id: entity_id, attributes: { age: 4, colour: 'gold' }, tags: ['dog'], status: 'active' }],
    });
    expect(await client.ask('update_entity', { entity_id: 999, name: 'x' })).toMatchObject({ updated: false });
    expect(await client.ask('update_entity', { entity_id })).toMatchObject({ updated: false });
    expect(await client.ask('delete_entity', { entity_id })).toEqual({ deleted: true, changes: 1 });
    expect(await client.ask('delete_entity', { entity_id: 999 })).toEqual({ deleted: false, changes: 0 });
    expect(await client.ask('list_entities')).toEqual({ entities: [] });
    expect(await client.ask('list_entities', { status: 'all' })).toMatchObject({ entities: [{ status: 'inactive' }] });
  });

  it('find an event of [1,2,3] on the timeline of each of the three', async () => {
    const ids: unknown[] = [];
    for (const name of ['a', 'b', 'c'])
      ids.push((await client.ask('create_entity', { entity_type: 'person', name }))['entity_id']);
    const event = { event_type: 'activity', description: 'a walk together', related_entity_ids: ids };
    const { event_id } = await client.ask('add_event', event);
    for (const entity_id of ids) {
      expect(await client.ask('query_entity_timeline', { entity_id })).toMatchObject({
        events: [{ id: event_id, related_entity_ids: ids }],
      });
    }
  });

  it('keep an importance of 0, and refuse what is not known by name', async () => {
    const { event_id } = await client.ask('add_event', {
      event_type: 'other',
      description: 'nothing much',
      importance: 0,
    });
    expect(await client.ask('search_events', { event_ids: [event_id] })).toMatchObject({ events: [{ importance: 0 }] });
    const refused = await client.fail('add_event', {
      event_type: 'other',
      description: 'x',
      related_entity_ids: [997, 998],
    });
    expect(refused).toMatch(/^related_entity_ids: 997, 998 not known/);
    expect(await client.fail('add_event', { event_type: 'other', description: 'x', parent_event_id: 997 })).toMatch(
      /parent_event_id 997/,
    );
    expect(await client.fail('query_entity_timeline', { entity_id: 997 })).toMatch(/^entity_id 997 is not known/);
    expect(await client.fail('add_event', { event_type: 'other', description: 'x', timestamp: 'soon' })).toMatch(
      /^timestamp must be/,
    );
    expect(await client.fail('add_event', { event_type: 'party', description: 'x' })).toMatch(
      /^event_type must be one of/,
    );
    expect(await client.fail('add_event', { event_type: 'other', description: ' ' })).toBe(
      'description must not be blank',
    );
  });

  it('correct an event, and find it by its new words alone', async () => {
    const [rex, tom] = [
      (await client.ask('create_entity', { entity_type: 'pet', name: 'Rex' }))['entity_id'],
      (await client.ask('create_entity', { entity_type: 'pet', name: 'Tom' }))['entity_id'],
    ];
    const { event_id } = await client.ask('add_event', {
      event_type: 'purchase',
      description: 'Bought a xylophone',
      related_entity_ids: [rex],
      metadata: { cost: 80, shop: '乐器城' },
      timestamp: '2025-05-01',
    });
    const update = { event_id, description: '买了一架手风琴', timestamp: '2025-05-03', related_entity_ids: [tom] };
    expect(await client.ask('update_event', { ...update, metadata: { cost: 90, shop: null } })).toEqual({
      updated: true,
      changes: 1,
    });
    expect(await client.ask('search_events', { keywords: ['xylophone'] })).toEqual({ events: [] });
    const corrected = { id: event_id, event_type: 'purchase', metadata: { cost: 90 }, related_entity_ids: [tom] };
    expect(await client.ask('search_events', { query: '手风琴', min_score: 0.1 })).toMatchObject({
      events: [{ ...corrected, timestamp: '2025-05-03T00:00:00.000Z', importance: 0.5, relevance: 1 }],
    });
    expect(await client.ask('query_entity_timeline', { entity_id: rex })).toEqual({ events: [] });
    expect(await client.ask('query_entity_timeline', { entity_id: tom })).toMatchObject({ events: [corrected] });
    expect(await client.fail('update_event', { event_id, related_entity_ids: [997] })).toMatch(/997 not known/);
    expect(await client.fail('update_event', { event_id, timestamp: 'soon' })).toMatch(/^timestamp must be/);
    expect(await client.ask('update_event', { event_id: 997, description: 'x' })).toMatchObject({ updated: false });
    expect(await client.ask('update_event', { event_id })).toMatchObject({ updated: false });
  });

  it('find nothing by a range that is not one, and say what is understood', async () => {
    expect(await client.fail('search_events', { time_range: 'whenever' })).toMatch(
      /^time_range must be one of these forms: today, .*昨天/,
    );
  });

  it('take ranges half-open, in UTC: a month ends where the next begins', async () => {
    const at = async (timestamp: string) =>
      (await client.ask('add_event', { event_type: 'milestone', description: 'edge', timestamp }))['event_id'];
    const first = await at('2024-01-01T00:00:00Z');
    const last = await at('2024-01-31T23:59:59.999Z');
    await at('2024-02-01T00:00:00Z');
    const { events } = await client.ask('search_events', { time_range: '2024-01', event_type: 'milestone' });
    expect((events as { id: number }[]).map(({ id }) => id)).toEqual([last, first]);
  });

  it('take no character of a keyword for a pattern', async () => {
    await client.ask('add_event', { event_type: 'purchase', description: 'Bought a C++ book (used) for 100% of 5.00' });
    for (const keyword of ['.*', '(', '%', '_', '[a-z]+', '*']) {
      expect(await client.ask('search_events', { keywords: [keyword] })).toEqual({ events: [] });
    }
    expect(await client.ask('search_events', { keywords: ['(used)'] })).toMatchObject({
      events: [{ matched_keywords: ['(used)'] }],
    });
  });

  it('offer the kinds of events as a resource, and a guide as a prompt in two languages', async () => {
    const { event_templates } = JSON.parse(await client.readText('memory://event-templates'));
    expect(event_templates.illness.metadata_fields).toContain('diagnosis');
    expect(await client.getPrompt('personal_memory_guide')).toContain('resolve_entity(text="我的狗")');
    expect(await client.getPrompt('personal_memory_guide', { language: 'en' })).toContain(
      'resolve_entity(text="my dog")',
    );
  });
});
