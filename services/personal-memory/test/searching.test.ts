import { GRADES } from '@contextloom/retrieval/ranking';
import { describe, expect, it } from '@jest/globals';
import { connect } from './support/memory.ts';
import { useMemory } from './support/memory-test.ts';

const test = useMemory();
const add = (description: string, more: Record<string, unknown> = {}) =>
  test.ann.ask('add_event', { event_type: 'activity', description, ...more });
const search = async (args: Record<string, unknown>) =>
  (await test.ann.ask('search_events', args)) as {
    events: { description: string; relevance_score: number; relevance?: number }[];
    next_offset?: number;
    nearest_score?: number;
  };
const find = async (args: Record<string, unknown>) => (await search(args)).events.map(({ description }) => description);

describe('search_events', () => {
  it('tells how relevant what it finds is, and leaves out what a caller wants no less than', async () => {
    await add('周敏在儿童医院当护士');
    await add('I play second cello in the community orchestra');
    for (const query of ['What is quantum chromodynamics?', '谁的专业是敏捷开发？', 'Hello!']) {
      for (const { relevance } of (await search({ query })).events) expect(relevance).toBeLessThan(GRADES.least);
    }
    const [orchestra] = (await search({ query: 'Which orchestra?' })).events;
    expect(orchestra).toMatchObject({ description: 'I play second cello in the community orchestra', relevance: 1 });
    expect((await search({ keywords: ['orchestra'] })).events[0]).not.toHaveProperty('relevance');
    const far = await search({ query: 'Which orchestra does Owen conduct?', min_score: 0.6 });
    expect(far.events).toEqual([]);
    expect(far.nearest_score).toBeGreaterThan(0.2);
    expect(far.nearest_score).toBeLessThan(0.6);
    expect(await search({ query: 'Which orchestra?' })).not.toHaveProperty('nearest_score');
    expect(await search({ keywords: ['zebra'] })).not.toHaveProperty('nearest_score');
  });

  it('finds by keywords what says them in any form, and no other word of the same root', async () => {
    await add('I play second cello in the community orchestra');
    await add('在小米科技做硬件测试');
    expect(await find({ keywords: ['commune'] })).toEqual([]);
    expect(await find({ keywords: ['科学'] })).toEqual([]);
    expect(await find({ keywords: ['communities'] })).toHaveLength(1);
    expect(await find({ keywords: ['科技'] })).toHaveLength(1);
  });

  it('finds an event by the names of the entities that it is about, and first what has the other words too', async () => {
    const { entity_id } = await test.ann.ask('create_entity', { entity_type: 'pet', name: '阿黄' });
    await test.ann.ask('add_entity_alias', { entity_id, alias: 'Goldie' });
    await add('去公园散步', { related_entity_ids: [entity_id] });
    await add('打疫苗', { related_entity_ids: [entity_id] });
    await add('给邻居的猫打疫苗');
    expect((await find({ query: '阿黄' })).sort()).toEqual(['去公园散步', '打疫苗']);
    expect((await find({ query: '阿黄' })).sort()).toEqual((await find({ keywords: ['Goldie'] })).sort());
    expect((await find({ query: 'goldie 疫苗' }))[0]).toBe('打疫苗');
    expect(await find({ keywords: ['阿黄', '疫苗'], match_mode: 'all' })).toEqual(['打疫苗']);
    expect(await find({ keywords: ['Gold'] })).toEqual([]);
    expect(await find({ query: '阿黄', time_range: '2020' })).toEqual([]);
  });

  it('does not take a name for one that is part of another word', async () => {
    const { entity_id } = await test.ann.ask('create_entity', { entity_type: 'person', name: 'Al' });
    await add('chess', { related_entity_ids: [entity_id] });
    expect(await find({ query: 'also' })).toEqual([]);
  });

  it('lists the best first when there is a query, not the newest', async () => {
    await add('Bought plum jam and bread', { timestamp: '2025-01-01' });
    await add('Plum cake with plum jam for the plum festival', { timestamp: '2025-02-01' });
    await add('Paid the bill for the festival, the hall, the band and the chairs', { timestamp: '2025-10-01' });
    const { events } = await search({ query: 'plum festival jam' });
    const scores = events.map(({ relevance_score }) => relevance_score);
    expect(events[0]?.description).toMatch(/^Plum cake/);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it.each([{}, { query: 'walk' }, { keywords: ['walk'] }])('lists in pages what %j finds, each once', async (args) => {
    for (let n = 0; n < 25; n += 1) await add(`walk ${n}`, { timestamp: `2025-10-${String(n + 1).padStart(2, '0')}` });
    const seen: string[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const page = await search({ ...args, limit: 10, offset });
      seen.push(...page.events.map(({ description }) => description));
      offset = page.next_offset;
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
  });
});

describe('a limit', () => {
  it('above what may be listed is refused with what to do, and the usual one is not', async () => {
    const few = await connect(test.store, { userId: 'ann', maxEvents: 7 });
    for (let n = 0; n < 12; n += 1) await add(`tea ${n}`);
    const message = 'limit must be at most 7 here (MAX_EVENTS_PER_QUERY); offset lists what comes after';
    expect(await few.fail('search_events', { limit: 8 })).toBe(message);
    expect(await few.fail('query_entity_timeline', { entity_id: 1, limit: 8 })).toBe(message);
    const { events, next_offset } = await few.ask('search_events');
    expect([(events as unknown[]).length, next_offset]).toEqual([7, 7]);
    expect(await test.ann.fail('search_events', { limit: 1_000 })).toMatch(/^limit must be at most 100 here/);
    await few.close();
  });

  it('and an offset page timelines and entities', async () => {
    for (let n = 1; n <= 5; n += 1) await test.ann.ask('create_entity', { entity_type: 'person', name: `P${n}` });
    for (let n = 1; n <= 5; n += 1) await add(`met ${n}`, { related_entity_ids: [1] });
    expect(await test.ann.ask('list_entities', { limit: 2, offset: 2 })).toMatchObject({
      entities: [{ name: 'P3' }, { name: 'P4' }],
      next_offset: 4,
    });
    expect((await test.ann.ask('list_entities', { limit: 1, offset: 4 }))['next_offset']).toBeUndefined();
    const timeline = await test.ann.ask('query_entity_timeline', { entity_id: 1, limit: 2, offset: 2 });
    expect(timeline).toMatchObject({ events: [{ description: 'met 3' }, { description: 'met 2' }], next_offset: 4 });
    expect(await test.ann.ask('summarize_entities', { limit: 2 })).toMatchObject({
      total_entities: 5,
      by_type: [{ entity_type: 'person', count: 5 }],
      entities: [{ name: 'P1', events: 5 }, { name: 'P2' }],
      next_offset: 2,
    });
  });
});

describe('numbers', () => {
  it('too large to be added up are the largest there is, and fail nothing', async () => {
    for (const cost of [1e308, 1e308, '1'.repeat(400), 5]) await add('bought a star', { metadata: { cost } });
    const { numbers } = await test.ann.ask('summarize_events', { group_by: 'month' });
    expect(numbers).toMatchObject({ count: 3, sum: Number.MAX_VALUE, max: 1e308, min: 5 });
    expect((numbers as { average: number }).average / 1e308).toBeCloseTo(2 / 3, 6);
    expect(await test.ann.ask('analyze_trends')).toMatchObject({ spend: Number.MAX_VALUE });
  });
});
