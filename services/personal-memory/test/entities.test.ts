import { describe, expect, it } from '@jest/globals';
import { connect } from './support/memory.ts';
import { useMemory } from './support/memory-test.ts';

const test = useMemory();
const create = async (entity_type: string, name: string, attributes = {}) =>
  Number((await test.ann.ask('create_entity', { entity_type, name, attributes }))['entity_id']);
const resolve = async (text: string) =>
  ((await test.ann.ask('resolve_entity', { text }))['candidates'] as { entity_id: number }[]).map(
    ({ entity_id }) => entity_id,
  );
const listed = async () => (await test.ann.ask('list_entities', { status: 'all' }))['entities'];

describe('an entity that gets another name', () => {
  it('is found by its former names, in every search', async () => {
    const dog = await create('pet', '旺财');
    await test.ann.ask('add_event', { event_type: 'activity', description: '散步', related_entity_ids: [dog] });
    await test.ann.ask('update_entity', { entity_id: dog, name: '旺财二世' });
    await test.ann.ask('update_entity', { entity_id: dog, name: 'Rex' });
    for (const name of ['旺财', '旺财二世', 'Rex']) {
      expect(await resolve(name)).toEqual([dog]);
      expect(await test.ann.ask('search_events', { query: name })).toMatchObject({ events: [{ description: '散步' }] });
    }
    expect(await listed()).toMatchObject([{ name: 'Rex', aliases: ['旺财', '旺财二世'] }]);
  });

  it('does not list the name that it has again as another one', async () => {
    const dog = await create('pet', 'Rex');
    await test.ann.ask('update_entity', { entity_id: dog, name: 'Max' });
    await test.ann.ask('update_entity', { entity_id: dog, name: 'Rex' });
    expect(await listed()).toMatchObject([{ name: 'Rex', aliases: ['Max'] }]);
  });
});

describe('我家那只', () => {
  it('is the pet and not the flat; 我家 alone is the flat', async () => {
    const flat = await create('property', '滨江花园', { type: 'apartment' });
    const dog = await create('pet', '旺财', { breed: '金毛' });
    const car = await create('vehicle', '小白');
    expect(await resolve('我家那只最近怎么样？')).toEqual([dog]);
    expect(await resolve('我家的那只')).toEqual([dog]);
    expect(await resolve('我家那辆')).toEqual([car]);
    expect(await resolve('我家在哪儿')).toEqual([flat]);
  });
});

describe('a second entity of the same name', () => {
  it('is stored and told, however the name is written, unless it is of another type', async () => {
    const first = await create('person', 'Alice');
    const again = await test.ann.ask('create_entity', { entity_type: 'person', name: 'ALICE' });
    expect(again).toMatchObject({ possible_duplicates: [{ entity_id: first, name: 'Alice', status: 'active' }] });
    const cat = await test.ann.ask('create_entity', { entity_type: 'pet', name: 'Alice' });
    expect(cat).toEqual({ entity_id: expect.any(Number) });
  });

  it('is told as well when both are stored at once', async () => {
    const alice = { entity_type: 'person', name: 'Alice' };
    const answers = await Promise.all([1, 2, 3].map(() => test.ann.ask('create_entity', alice)));
    expect(answers.filter((answer) => 'possible_duplicates' in answer)).toHaveLength(2);
  });

  it('is told of one that was called so before', async () => {
    const first = await create('person', 'Alice');
    await test.ann.ask('update_entity', { entity_id: first, name: 'Alice Miller' });
    const again = await test.ann.ask('create_entity', { entity_type: 'person', name: 'alice' });
    expect(again).toMatchObject({ possible_duplicates: [{ entity_id: first, name: 'Alice Miller' }] });
  });
});

describe('merge_entities', () => {
  it('makes events, relations, names and attributes those of one, and keeps all names', async () => {
    const [alice, double, bob] = [
      await create('person', 'Alice', { city: 'Leith' }),
      await create('person', 'Ali', { city: 'Rome', born: 1990 }),
      await create('person', 'Bob'),
    ];
    await test.ann.ask('add_entity_alias', { entity_id: double, alias: '小艾' });
    const add = (description: string, ids: number[]) =>
      test.ann.ask('add_event', { event_type: 'activity', description, related_entity_ids: ids });
    await add('tea', [alice]);
    await add('chess', [double]);
    await add('both', [double, alice]);
    for (const [one, other] of [
      [double, bob],
      [alice, bob],
      [alice, double],
    ]) {
      await test.ann.ask('create_entity_relation', { entity_id_1: one, entity_id_2: other, relation_type: 'knows' });
    }
    const merged = await test.ann.ask('merge_entities', { entity_id: alice, duplicate_id: double });
    const entity = { id: alice, name: 'Alice', aliases: ['Ali', '小艾'], attributes: { city: 'Leith', born: 1990 } };
    expect(merged).toMatchObject({ merged: true, entity });
    expect(await listed()).toMatchObject([entity, { id: bob }]);
    const { events } = await test.ann.ask('query_entity_timeline', { entity_id: alice });
    expect((events as { description: string }[]).map(({ description }) => description).sort()).toEqual([
      'both',
      'chess',
      'tea',
    ]);
    expect(events).toMatchObject([{ related_entity_ids: [alice] }, {}, {}]);
    expect(await test.ann.ask('query_entity_relations', { entity_id: alice })).toMatchObject({
      relations: [{ entity_id_1: alice, entity_id_2: bob, relation_type: 'knows' }],
    });
    for (const name of ['Alice', 'Ali', '小艾']) expect(await resolve(name)).toEqual([alice]);
  });

  it('refuses by name one and itself, two types, and what is not known', async () => {
    const [alice, cat] = [await create('person', 'Alice'), await create('pet', 'Mimi')];
    const fail = (entity_id: number, duplicate_id: number) =>
      test.ann.fail('merge_entities', { entity_id, duplicate_id });
    expect(await fail(alice, alice)).toMatch(/^duplicate_id must be another entity/);
    expect(await fail(alice, cat)).toMatch(/^duplicate_id must be a person/);
    expect(await fail(alice, 99)).toMatch(/^duplicate_id 99 is not known/);
    expect(await listed()).toHaveLength(2);
  });
});

describe('ids', () => {
  it('tell nothing of how much others store', async () => {
    const eve = await connect(test.store, { userId: 'eve', clock: test.clock });
    for (const n of [1, 2, 3]) {
      const entity = await eve.ask('create_entity', { entity_type: 'other', name: `thing ${n}` });
      await eve.ask('add_event', { event_type: 'other', description: 'x', related_entity_ids: [entity['entity_id']] });
      await eve.ask('update_profile', { key: 'k', value: String(n) });
    }
    const entity_id = await create('pet', 'Rex');
    const other = await create('pet', 'Max');
    const event = await test.ann.ask('add_event', { event_type: 'other', description: 'x' });
    const relation = await test.ann.ask('create_entity_relation', {
      entity_id_1: entity_id,
      entity_id_2: other,
      relation_type: 'knows',
    });
    await test.ann.ask('update_profile', { key: 'k', value: 'v' });
    const history = await test.ann.ask('query_profile_history', { key: 'k' });
    expect([entity_id, event, relation, history]).toMatchObject([
      1,
      { event_id: 1 },
      { relation_id: 1 },
      { versions: [{ version: 1 }] },
    ]);
    await eve.close();
  });

  it('are not given twice', async () => {
    const add = async () => (await test.ann.ask('add_event', { event_type: 'other', description: 'x' }))['event_id'];
    const first = await add();
    await test.ann.ask('delete_event', { event_id: first });
    expect(await add()).not.toBe(first);
  });
});
