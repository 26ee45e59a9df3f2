import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MemoryStore } from '../src/domain/store.ts';
import { connect, createClock, type MemoryClient, makeFolder, openStore, removeFolder } from './support/memory.ts';

let folder: string;
let store: MemoryStore;
let client: MemoryClient;
let dog: unknown;
let cat: unknown;

const add = (description: string, more: Record<string, unknown> = {}) =>
  client.ask('add_event', { event_type: 'illness', description, ...more });
const names = async (tool: string, args: Record<string, unknown>, list: string) =>
  ((await client.ask(tool, args))[list] as { description?: string; name?: string; key?: string }[]).map(
    ({ description, name, key }) => description ?? name ?? key,
  );
const find = (args: Record<string, unknown>) => names('search_events', args, 'events');

beforeAll(async () => {
  folder = makeFolder();
  store = openStore(folder);
  client = await connect(store, { userId: 'ann', clock: createClock(), zone: 'Asia/Shanghai' });
  dog = (await client.ask('create_entity', { entity_type: 'pet', name: '旺财', attributes: { breed: '金毛' } }))[
    'entity_id'
  ];
  cat = (await client.ask('create_entity', { entity_type: 'pet', name: 'Mimi', attributes: { species: 'cat' } }))[
    'entity_id'
  ];
  await client.ask('create_entity', { entity_type: 'vehicle', name: '小白', attributes: { brand: '比亚迪' } });
  await client.ask('create_entity', { entity_type: 'property', name: '滨江花园', attributes: { type: 'apartment' } });
  await add('旺财生病就医', {
    related_entity_ids: [dog],
    metadata: { cost: 2000, hospital: '宠物医院' },
    timestamp: '2025-10-27',
  });
  await add('Took Mimi to the vet for her vaccinations', {
    related_entity_ids: [cat],
    metadata: { cost: '180' },
    timestamp: '2025-09-02',
  });
  await add('旺财和 Mimi 一起体检', {
    related_entity_ids: [dog, cat],
    metadata: { cost: 300.5 },
    timestamp: '2025-09-30T20:00:00Z',
  });
  await add('Bought a piano', {
    event_type: 'purchase',
    tags: ['music'],
    metadata: { cost: 9000 },
    timestamp: '2024-05-05',
  });
});
afterAll(async () => {
  await client.close();
  await store.close();
  removeFolder(folder);
});

describe('what is remembered is found again', () => {
  it('by words of one and two Chinese characters, English words in other forms, tags and metadata', async () => {
    expect(await find({ keywords: ['生病'] })).toEqual(['旺财生病就医']);
    expect(await find({ keywords: ['病'] })).toEqual(['旺财生病就医']);
    expect(await find({ keywords: ['vaccination'] })).toEqual(['Took Mimi to the vet for her vaccinations']);
    expect(await find({ keywords: ['宠物医院'] })).toEqual(['旺财生病就医']);
    expect(await find({ keywords: ['music'] })).toEqual(['Bought a piano']);
    expect(await find({ query: '體檢' })).toContain('旺财和 Mimi 一起体检');
  });

  it('newest first, with any of the keywords or all, and tells which', async () => {
    expect(await find({ keywords: ['旺财', 'Mimi'] })).toHaveLength(3);
    expect(await find({ keywords: ['旺财', 'Mimi'], match_mode: 'all' })).toEqual(['旺财和 Mimi 一起体检']);
    const { events } = await client.ask('search_events', { keywords: ['旺财', 'piano'] });
    expect(events).toMatchObject([
      { matched_keywords: ['旺财'], timestamp: '2025-10-26T16:00:00.000Z' },
      { matched_keywords: ['旺财'], timestamp: '2025-09-30T20:00:00.000Z' },
      { matched_keywords: ['piano'] },
    ]);
  });

  it('keeps the best of many, not the newest', async () => {
    expect(await find({ query: 'piano', limit: 1 })).toEqual(['Bought a piano']);
  });

  it('inside a type, an entity and a time of the zone, in English and Chinese', async () => {
    expect(await find({ event_type: 'purchase' })).toEqual(['Bought a piano']);
    expect((await find({ entity_id: cat, query: '旺财' }))[0]).toBe('旺财和 Mimi 一起体检');
    expect(await find({ time_range: '昨天' })).toEqual(['旺财生病就医']);
    expect(await find({ time_range: 'yesterday' })).toEqual(['旺财生病就医']);
    expect(await find({ time_range: '2024' })).toEqual(['Bought a piano']);
    // Half past four in the morning of October 1st in Shanghai.
    expect(await find({ time_range: '2025-10' })).toEqual(['旺财生病就医', '旺财和 Mimi 一起体检']);
    expect(await find({ time_range: '去年' })).toEqual(['Bought a piano']);
  });

  it('among facts by key, value and tag, with what comes close after them', async () => {
    await client.ask('update_profile', { key: 'favorite_food', value: '红烧肉', tags: ['美食'] });
    await client.ask('update_profile', { key: 'allergy', value: 'walnuts' });
    expect(await names('search_profile_by_keywords', { keywords: ['烧肉'] }, 'profile')).toEqual(['favorite_food']);
    expect(await names('search_profile_by_keywords', { keywords: ['food'] }, 'profile')).toEqual(['favorite_food']);
    expect(await names('search_profile_by_keywords', { keywords: ['walnut'] }, 'profile')).toEqual(['allergy']);
    expect(
      await names('search_profile_by_keywords', { keywords: ['美食', 'walnut'], match_mode: 'all' }, 'profile'),
    ).toEqual([]);
  });

  it('among entities by name, attribute and alias', async () => {
    const findEntities = (keyword: string) => names('search_entities_by_keywords', { keywords: [keyword] }, 'entities');
    expect(await findEntities('金毛')).toEqual(['旺财']);
    expect(await findEntities('cat')).toEqual(['Mimi']);
    expect(await client.ask('add_entity_alias', { entity_id: cat, alias: '咪咪' })).toEqual({ added: true });
    expect(await client.ask('add_entity_alias', { entity_id: cat, alias: '咪咪' })).toEqual({ added: false });
    expect(await findEntities('咪咪')).toEqual(['Mimi']);
  });
});

describe('resolve_entity', () => {
  const resolve = async (text: string) =>
    (await client.ask('resolve_entity', { text }))['candidates'] as {
      name: string;
      score: number;
      reasons: { kind: string }[];
    }[];

  it.each([
    ['我的狗', '旺财', 'type'],
    ['my dog', '旺财', 'type'],
    ['旺财最近怎么样？', '旺财', 'name'],
    ['我家金毛', '旺财', 'attribute'],
    ['How is my kitten doing?', 'Mimi', 'type'],
    ['我的车', '小白', 'type'],
    ['那辆比亚迪', '小白', 'attribute'],
    ['my house', '滨江花园', 'type'],
    ['我的房子', '滨江花园', 'type'],
  ])('knows who %s is', async (text, name, kind) => {
    const [best] = await resolve(text);
    expect(best).toMatchObject({ name });
    expect(best?.reasons.map((reason) => reason.kind)).toContain(kind);
  });

  it('offers no cat for a dog, both for a pet, and nobody for nothing', async () => {
    expect((await resolve('my dog')).map(({ name }) => name)).toEqual(['旺财']);
    expect((await resolve('我的宠物')).map(({ name }) => name).sort()).toEqual(['Mimi', '旺财']);
    expect(await resolve('the weather')).toEqual([]);
    expect(await resolve('大家都说有人敲门')).toEqual([]);
  });

  it('knows a name better than a kind, and prefers who was met lately', async () => {
    const [named] = await resolve('Mimi');
    const [kind] = await resolve('my dog');
    expect(named?.score).toBeGreaterThan(kind?.score ?? 1);
    expect((await resolve('宠物'))[0]?.name).toBe('旺财');
  });
});

describe('summaries and trends', () => {
  it('tell what the dog cost, by month of the zone', async () => {
    const summary = await client.ask('summarize_events', { group_by: 'month', entity_id: dog, time_range: '今年' });
    expect(summary).toMatchObject({
      total_events: 2,
      numbers: { count: 2, sum: 2300.5, min: 300.5, max: 2000 },
      groups: [{ group: '2025-10', count: 2 }],
    });
  });

  it('count by type and by entity, and add up another number', async () => {
    const byEntity = await client.ask('summarize_events', { group_by: 'entity', event_type: 'illness' });
    expect(byEntity).toMatchObject({
      total_events: 3,
      groups: [
        { group: 'Mimi', count: 2, entity_id: cat, numbers: { sum: 480.5 } },
        { group: '旺财', count: 2, entity_id: dog },
      ],
    });
    const byType = await client.ask('summarize_events', { group_by: 'type', metadata_field: 'weight' });
    expect(byType).toMatchObject({
      numbers: null,
      groups: [
        { group: 'illness', count: 3 },
        { group: 'purchase', count: 1 },
      ],
    });
  });

  it('show all that is active at a glance', async () => {
    expect(await client.ask('summarize_entities')).toMatchObject({
      total_entities: 4,
      by_type: [
        { entity_type: 'pet', count: 2 },
        { entity_type: 'property', count: 1 },
        { entity_type: 'vehicle', count: 1 },
      ],
      entities: [
        { name: '旺财', events: 2, cost: { sum: 2300.5 } },
        { name: 'Mimi' },
        { name: '小白', events: 0, cost: null },
        { name: '滨江花园' },
      ],
    });
  });

  it('tell the rhythm of what comes again, and when it is due', async () => {
    for (const day of ['2025-06-01', '2025-07-01', '2025-07-31', '2025-09-29']) {
      await add('剪毛', { event_type: 'maintenance', metadata: { cost: 100 }, timestamp: day });
    }
    const { rhythm, spend, months } = await client.ask('analyze_trends', { event_type: 'maintenance' });
    expect(rhythm).toMatchObject({ interval_days: 30, next_expected: '2025-10-28T16:00:00.000Z', overdue: false });
    expect(spend).toBe(400);
    expect(months).toMatchObject([
      { month: '2025-06' },
      { month: '2025-07', events: 2 },
      { month: '2025-08', events: 0 },
      {},
    ]);
    expect(await client.ask('analyze_trends', { event_type: 'purchase' })).toMatchObject({ events: 1, rhythm: null });
  });

  it('are drawn as a chart for each kind of event there is', async () => {
    const { resources } = await client.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('memory://trends/maintenance.svg');
    const svg = await client.readText('memory://trends/maintenance.svg');
    expect(svg).toMatch(/^<svg[^>]*>/);
    expect(svg).toContain('2025-07');
    await expect(client.readText('memory://trends/activity.svg')).rejects.toThrow('no activity events to draw');
    await expect(client.readText('memory://trends/party.svg')).rejects.toThrow('event_type must be one of');
  });
});
