import { describe, expect, it } from '@jest/globals';
import { useMemory } from './support/memory-test.ts';

const test = useMemory();
const ann = { name: 'Ann', kind: 'person', observations: ['lives in Lyon', 'is a nurse'] };
const shop = { name: 'Tea House', kind: 'company', observations: ['sells oolong'] };
const works = { from: 'Ann', to: 'Tea House', relation_type: 'works_at' };

const add = (import_id: string, part: object = { entities: [ann, shop], relations: [works] }) =>
  test.ann.ask('add_graph', { import_id, ...part });
const undo = (import_id: string) => test.ann.ask('remove_import', { import_id });
const entities = async () => (await test.ann.ask('list_entities', { status: 'all' }))['entities'];
const relations = async (entity_id: number) =>
  (await test.ann.ask('query_entity_relations', { entity_id }))['relations'];

describe('a graph', () => {
  it('becomes entities with what is known of them, and relations; taken back, nothing of it is left', async () => {
    expect(await add('a')).toEqual({
      added: { entities: 2, observations: 3, relations: 1 },
      already_known: { entities: 0, observations: 0, relations: 0 },
    });
    expect(await entities()).toMatchObject([
      { name: 'Ann', entity_type: 'person', attributes: { observations: ann.observations } },
      { name: 'Tea House', entity_type: 'other', attributes: { kind: 'company', observations: shop.observations } },
    ]);
    expect(await relations(1)).toMatchObject([{ relation_type: 'works_at', entity_id_1: 1, entity_id_2: 2 }]);
    expect(await undo('a')).toEqual({ removed: { entities: 2, observations: 3, relations: 1 }, kept: [] });
    expect(await entities()).toEqual([]);
  });

  it('added again, and by two imports at once, is there once; each import takes back what no other has', async () => {
    await Promise.all([add('a'), add('b'), add('a')]);
    expect(await entities()).toHaveLength(2);
    expect(await relations(1)).toHaveLength(1);
    const why = 'another import has it too';
    expect(await undo('a')).toEqual({
      removed: { entities: 0, observations: 0, relations: 0 },
      kept: [
        { entity_id: 1, name: 'Ann', why },
        { entity_id: 2, name: 'Tea House', why },
      ],
    });
    expect(await entities()).toMatchObject([{ attributes: { observations: ann.observations } }, {}]);
    expect(await undo('b')).toMatchObject({ removed: { entities: 2, observations: 3, relations: 1 }, kept: [] });
    expect(await undo('b')).toMatchObject({ removed: { entities: 0 }, kept: [] });
    expect(await entities()).toEqual([]);
  });

  it('joins an entity under its alias; undone, the entity is as it was before', async () => {
    await test.ann.ask('create_entity', {
      entity_type: 'person',
      name: '安妮',
      attributes: { observations: ['lives in Lyon'] },
    });
    await test.ann.ask('add_entity_alias', { entity_id: 1, alias: 'ANN' });
    expect(await add('a')).toMatchObject({
      added: { entities: 1, observations: 2, relations: 1 },
      already_known: { entities: 1, observations: 1 },
    });
    expect(await undo('a')).toMatchObject({ removed: { entities: 1, observations: 2, relations: 1 }, kept: [] });
    expect(await entities()).toMatchObject([
      { name: '安妮', aliases: ['ANN'], attributes: { observations: ['lives in Lyon'] } },
    ]);
  });

  it.each(['a', 'b'])('brings back nothing that a person corrected or deleted, imported as %s', async (again) => {
    await add('a');
    await test.ann.ask('update_entity', {
      entity_id: 1,
      name: 'Anne',
      attributes: { observations: ['lives in Oban', 'is a nurse'] },
    });
    await test.ann.ask('delete_entity_relation', { relation_id: 1 });
    await test.ann.ask('delete_entity', { entity_id: 2 });
    const expectKept = async () => {
      expect(await entities()).toMatchObject([
        { name: 'Anne', attributes: { observations: ['lives in Oban', 'is a nurse'] } },
        { name: 'Tea House', status: 'inactive' },
      ]);
      expect(await relations(1)).toEqual([]);
    };
    expect(await add(again)).toMatchObject({ added: { entities: 0, observations: 0, relations: 0 } });
    await expectKept();
    const more = { ...ann, observations: [...ann.observations, 'plays go'] };
    expect(await add('c', { entities: [more, shop], relations: [works] })).toMatchObject({
      added: { entities: 0, observations: 1, relations: 0 },
    });
    await undo('a');
    await undo(again);
    await add('d');
    expect(await entities()).toMatchObject([
      { name: 'Anne', attributes: { observations: ['lives in Oban', 'is a nurse', 'plays go'] } },
      { name: 'Tea House', status: 'inactive' },
    ]);
    expect(await relations(1)).toEqual([]);
  });

  it('does not join a person with a pet of the same name', async () => {
    await test.ann.ask('create_entity', { entity_type: 'pet', name: 'Ann' });
    expect(await add('a', { entities: [ann] })).toMatchObject({ added: { entities: 1 } });
  });

  it('keeps what somebody has built on, and names it', async () => {
    await add('a');
    await test.ann.ask('add_event', { event_type: 'activity', description: 'tea', related_entity_ids: [2] });
    await test.ann.ask('update_entity', { entity_id: 1, attributes: { age: 31 } });
    expect(await undo('a')).toEqual({
      removed: { entities: 0, observations: 3, relations: 1 },
      kept: [
        { entity_id: 1, name: 'Ann', why: 'it was changed since' },
        { entity_id: 2, name: 'Tea House', why: 'events are about it' },
      ],
    });
    expect(await entities()).toMatchObject([{ name: 'Ann', attributes: { age: 31 } }, { name: 'Tea House' }]);
  });

  it('adds the ends of relations that it does not describe, and leaves out a relation of an entity to itself', async () => {
    const self = { from: 'Ann', to: 'ann', relation_type: 'knows' };
    expect(await add('a', { relations: [works, self] })).toMatchObject({ added: { entities: 2, relations: 1 } });
    expect(await undo('a')).toMatchObject({ removed: { entities: 2, relations: 1 }, kept: [] });
  });

  it('is taken back also from an entity that its own was merged into', async () => {
    const id = Number((await test.ann.ask('create_entity', { entity_type: 'person', name: 'Anne' }))['entity_id']);
    await add('a', { entities: [ann] });
    await test.ann.ask('merge_entities', { entity_id: id, duplicate_id: id + 1 });
    expect(await undo('a')).toMatchObject({ removed: { observations: 2 }, kept: [] });
    expect(await entities()).toMatchObject([{ name: 'Anne', aliases: ['Ann'] }]);
  });

  it('is refused by field, and nothing of it is stored', async () => {
    const blank = { entities: [ann, { name: ' ', observations: [] }] };
    expect(await test.ann.fail('add_graph', { import_id: 'a', ...blank })).toMatch(/entities.*1.*name/u);
    expect(await entities()).toEqual([]);
  });
});

describe('people who were named in conversations', () => {
  const named = (name: string, kind: string, ...notes: readonly string[]) => ({
    name,
    kind,
    derived_from: notes.map((note) => `note:${note}`),
  });
  const forget = (...notes: readonly string[]) =>
    test.ann.ask('follow_change', {
      sources: notes.map((note) => `note:${note}`),
      change: 'forgotten',
      dry_run: false,
    });
  const names = async () => ((await entities()) as readonly { name: string }[]).map(({ name }) => name);

  it('rest on all that names them, and go with the last of it, their relations too', async () => {
    const brother = { from: 'Callum', to: 'Mia', relation_type: 'brother_of', derived_from: ['note:1'] };
    await add('a', { entities: [named('Mia', 'person', '1'), named('Callum', 'person', '1')], relations: [brother] });
    await add('b', { entities: [named('Mia', 'sister', '2')] });
    // What is said later of somebody of whom nothing was known is known of them.
    expect(await entities()).toMatchObject([{ name: 'Mia', attributes: { kind: 'sister' } }, { name: 'Callum' }]);
    expect(await forget('1')).toMatchObject({
      consequences: expect.arrayContaining([
        expect.objectContaining({ id: 'entity:1', what: 'kept', sources_left: 1 }),
        expect.objectContaining({ id: 'entity:2', what: 'removed' }),
        expect.objectContaining({ id: 'relation:1', what: 'removed' }),
      ]),
    });
    expect(await names()).toEqual(['Mia']);
    await forget('2');
    expect(await names()).toEqual([]);
  });

  it('stay as a person corrected them, put them aside or made one of two, whatever is read again', async () => {
    const all = { entities: [named('Mia', 'sister', '1'), named('Cal', 'friend', '1'), named('Web', 'friend', '1')] };
    await add('a', all);
    await test.ann.ask('update_entity', { entity_id: 1, name: 'Miriam', attributes: { kind: 'aunt' } });
    await test.ann.ask('merge_entities', { entity_id: 1, duplicate_id: 2 });
    await test.ann.ask('delete_entity', { entity_id: 3 });
    await add('a', all);
    await add('b', { entities: [named('Mia', 'mother', '2'), named('Web', 'son', '3')] });
    expect(await entities()).toMatchObject([
      { name: 'Miriam', aliases: ['Cal', 'Mia'], attributes: { kind: 'aunt' }, status: 'active' },
      { name: 'Web', attributes: { kind: 'friend' }, status: 'inactive' },
    ]);
    // What a person has put right stands by itself.
    await forget('1', '2', '3');
    expect(await names()).toEqual(['Miriam']);
  });

  it('stand by themselves once another program describes them, and go with the import that named them', async () => {
    await add('a', { entities: [named('Mia', 'sister', '1'), named('Cal', 'friend', '1')] });
    await add('b', { entities: [{ name: 'Mia', kind: 'person', observations: ['is a nurse'] }] });
    expect(await undo('a')).toMatchObject({ removed: { entities: 1 }, kept: [{ name: 'Mia' }] });
    await forget('1');
    expect(await names()).toEqual(['Mia']);
  });
});
