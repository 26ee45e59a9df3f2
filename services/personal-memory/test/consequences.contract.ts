import { describe, expect, it } from '@jest/globals';
import { followChange } from '../src/domain/sources/follow.ts';
import { type MemoryTest, useMemory } from './support/memory-test.ts';

let test: MemoryTest;
const ask = (tool: string, args: Record<string, unknown>) => test.ann.ask(tool, args);
const follow = async (args: Record<string, unknown>) => (await ask('follow_change', args))['consequences'];
const values = async () => {
  const { profile } = await ask('query_profile', {});
  return Object.fromEntries((profile as { key: string; value: string }[]).map(({ key, value }) => [key, value]));
};

/** What follows from a change of a memory in every store, and what trust it leaves. */
export function describeConsequences(open?: Parameters<typeof useMemory>[1]): void {
  test = useMemory({}, open);

  describe('what was drawn from a memory that is gone', () => {
    it('goes with it where it rests on that alone, here and on; earlier values of others stay in the history', async () => {
      await ask('update_profile', { key: 'city', value: 'Hull' });
      await ask('update_profile', { key: 'city', value: 'Leith', derived_from: ['note:1'] });
      await ask('update_profile', { key: 'near', value: 'the sea', derived_from: ['fact:city'] });
      await ask('update_profile', { key: 'pet', value: '猫', derived_from: ['note:1', 'note:2'] });
      await ask('update_profile', { key: 'job', value: 'smith' });
      await ask('add_event', { event_type: 'other', description: '搬到利斯', derived_from: ['note:1'] });
      const dry = await follow({ sources: ['note:1'], change: 'forgotten' });
      expect(dry).toEqual([
        { id: expect.stringMatching(/^event:/u), what: 'removed', text: '搬到利斯' },
        { id: 'fact:city', what: 'removed', text: 'city: Leith' },
        { id: 'fact:pet', what: 'kept', text: 'pet: 猫', sources_left: 1 },
        { id: 'fact:near', what: 'removed', text: 'near: the sea' },
      ]);
      expect(await values()).toMatchObject({ city: 'Leith', near: 'the sea', pet: '猫', job: 'smith' });
      const done = await follow({ sources: ['note:1'], change: 'forgotten', dry_run: false });
      expect(JSON.stringify(done)).not.toMatch(/Leith|利斯/u);
      expect(await values()).toEqual({ pet: '猫', job: 'smith' });
      const exported = JSON.stringify(await ask('export_data', {}));
      expect(exported).not.toMatch(/Leith|the sea|利斯/u);
      expect(await ask('query_profile_history', { key: 'city' })).toMatchObject({ versions: [{ value: 'Hull' }] });
      await follow({ sources: ['note:2'], change: 'forgotten', dry_run: false });
      expect(await values()).toEqual({ job: 'smith' });
    });

    it('goes with what is deleted here, for good', async () => {
      await ask('update_profile', { key: 'city', value: 'Leith' });
      await ask('update_profile', { key: 'near', value: 'the sea', derived_from: ['fact:city'] });
      expect(await ask('delete_profile', { key: 'city', erase_history: true })).toMatchObject({
        deleted: true,
        consequences: [{ id: 'fact:near', what: 'removed' }],
      });
      expect(await values()).toEqual({});
    });
  });

  describe('what was drawn from a memory that is corrected', () => {
    it('leaves the profile, and its history brings it back; what the new words say too stays', async () => {
      await ask('update_profile', { key: 'city', value: 'Leith', derived_from: ['note:1'] });
      await ask('update_profile', { key: 'pet', value: 'cat', derived_from: ['note:1'] });
      const now = 'I live in York and have a Cat.';
      expect(await follow({ sources: ['note:1'], change: 'corrected', now, dry_run: false })).toEqual([
        { id: 'fact:city', what: 'marked', text: 'city: Leith' },
      ]);
      expect(await values()).toEqual({ pet: 'cat' });
      expect(await ask('rollback_profile', { key: 'city' })).toMatchObject({ rolled_back: true, value: 'Leith' });
      // Whoever brought it back stands for it.
      expect(await follow({ sources: ['note:1'], change: 'forgotten', dry_run: false })).toMatchObject([
        { id: 'fact:pet' },
      ]);
      expect(await values()).toEqual({ city: 'Leith' });
    });

    it('stays where it was said by itself, before or after', async () => {
      await ask('update_profile', { key: 'city', value: 'Leith', derived_from: ['note:1'] });
      await ask('update_profile', { key: 'city', value: 'Leith' });
      await ask('update_profile', { key: 'city', value: 'Leith', derived_from: ['note:2'] });
      expect(await follow({ sources: ['note:1', 'note:2'], change: 'forgotten', dry_run: false })).toEqual([]);
      expect(await values()).toEqual({ city: 'Leith' });
    });
  });

  describe('people, things and what they are to each other', () => {
    const create = async (args: Record<string, unknown>) =>
      (await ask('create_entity', { entity_type: 'person', ...args }))['entity_id'] as number;
    const relate = async (ids: readonly [number, number], derived_from?: readonly string[]) =>
      ask('create_entity_relation', {
        entity_id_1: ids[0],
        entity_id_2: ids[1],
        relation_type: 'works_with',
        derived_from,
      });
    const names = async () =>
      ((await ask('list_entities', { status: 'all' }))['entities'] as { name: string }[]).map(({ name }) => name);
    const relations = async () => (await ask('query_entity_relations', {}))['relations'] as unknown[];

    it('go with what they rest on alone; who is told of elsewhere stays', async () => {
      const ines = await create({ name: 'Ines', derived_from: ['note:1'] });
      const bo = await create({ name: '小波', derived_from: ['note:1', 'note:2'] });
      const kai = await create({ name: 'Kai', derived_from: ['note:1'] });
      await create({ name: 'Mo' });
      await relate([ines, bo], ['note:1']);
      const event = { event_type: 'other', description: 'A walk with Kai', related_entity_ids: [kai] };
      const { event_id: walk } = await ask('add_event', event);
      const dry = await follow({ sources: ['note:1'], change: 'forgotten' });
      expect(dry).toEqual([
        { id: 'relation:1', what: 'removed', text: 'Ines works with 小波' },
        { id: `entity:${ines}`, what: 'removed', text: 'Ines' },
        { id: `entity:${bo}`, what: 'kept', text: '小波', sources_left: 1 },
        { id: `entity:${kai}`, what: 'kept', text: 'Kai', sources_left: 1 },
      ]);
      expect(await names()).toHaveLength(4);
      const done = await follow({ sources: ['note:1'], change: 'forgotten', dry_run: false });
      expect(JSON.stringify(done)).not.toContain('Ines');
      expect([await names(), await relations()]).toEqual([['小波', 'Kai', 'Mo'], []]);
      expect(JSON.stringify(await ask('export_data', {}))).not.toContain('Ines');
      // Of whom nothing else is told goes with the last that is.
      expect(await ask('delete_event', { event_id: walk })).toMatchObject({
        consequences: [{ id: `entity:${kai}`, what: 'removed' }],
      });
      await follow({ sources: ['note:2'], change: 'forgotten', dry_run: false });
      expect(await names()).toEqual(['Mo']);
    });

    it('leave lists while their source says something else, and come back with it', async () => {
      const ines = await create({ name: 'Ines', derived_from: ['note:1'] });
      const bo = await create({ name: 'Bo', derived_from: ['note:2'] });
      await relate([ines, bo], ['note:1']);
      await ask('add_event', { event_type: 'other', description: 'Ines came', derived_from: ['note:1'] });
      const found = async () =>
        JSON.stringify([await ask('search_events', {}), await ask('list_entities', {}), await relations()]);
      const correct = (now: string) => follow({ sources: ['note:1'], change: 'corrected', now, dry_run: false });
      const marked = await correct('Ina came with Bo');
      expect((marked as { what: string }[]).map(({ what }) => what)).toEqual(['marked', 'marked', 'marked']);
      expect(await found()).not.toContain('Ines');
      expect(await found()).toContain('Bo');
      const back = await correct('Ines came, with Bo');
      expect((back as { what: string }[]).map(({ what }) => what)).toEqual(['restored', 'restored', 'restored']);
      expect(await found()).toMatch(/Ines came.*"Ines".*works_with/su);
    });

    it('stand by themselves once somebody says them; two that are one rest on what both rested on', async () => {
      const ines = await create({ name: 'Ines', derived_from: ['note:1'] });
      const other = await create({ name: 'Inés', derived_from: ['note:2'] });
      const bo = await create({ name: 'Bo', derived_from: ['note:1'] });
      await ask('update_entity', { entity_id: bo, attributes: { age: 4 } });
      await ask('merge_entities', { entity_id: ines, duplicate_id: other });
      expect(await follow({ sources: ['note:1'], change: 'forgotten', dry_run: false })).toEqual([
        { id: `entity:${ines}`, what: 'kept', text: 'Ines', sources_left: 1 },
      ]);
      await follow({ sources: ['note:2'], change: 'forgotten', dry_run: false });
      expect(await names()).toEqual(['Bo']);
    });
  });

  describe('values of before', () => {
    it('go with the memory that they were drawn from, and leave the value of now', async () => {
      await ask('update_profile', { key: 'city', value: 'Leith', derived_from: ['note:1'] });
      await ask('update_profile', { key: 'city', value: 'York', derived_from: ['note:2'] });
      await ask('update_profile', { key: 'pet', value: 'cat', derived_from: ['note:1'] });
      await ask('delete_profile', { key: 'pet' });
      const { data } = await ask('export_data', { format: 'json' });
      await follow({ sources: ['note:1'], change: 'corrected', now: 'I live in Hull.', dry_run: false });
      expect(await follow({ sources: ['note:1'], change: 'forgotten', dry_run: false })).toEqual([]);
      expect(await values()).toEqual({ city: 'York' });
      expect(JSON.stringify(await ask('export_data', {}))).not.toMatch(/Leith|cat"/u);
      await ask('import_data', { format: 'json', data });
      expect(JSON.stringify(await ask('export_data', {}))).toContain('Leith');
      await follow({ sources: ['note:1'], change: 'forgotten', dry_run: false });
      expect(JSON.stringify(await ask('export_data', {}))).not.toMatch(/Leith/u);
    });

    it('go too where a correction had taken them out of the profile', async () => {
      await ask('update_profile', { key: 'city', value: 'Leith', derived_from: ['note:1'] });
      const correct = (now: string) => follow({ sources: ['note:1'], change: 'corrected', now, dry_run: false });
      await correct('I live in York.');
      expect(await correct('I live in Leith.')).toEqual([{ id: 'fact:city', what: 'restored', text: 'city: Leith' }]);
      expect(await values()).toEqual({ city: 'Leith' });
      await correct('I live in York.');
      await ask('update_profile', { key: 'city', value: 'York', derived_from: ['note:1'] });
      await follow({ sources: ['note:1'], change: 'forgotten', dry_run: false });
      expect(JSON.stringify(await ask('export_data', {}))).not.toMatch(/Leith|York/u);
    });
  });

  describe('what an assistant or a document said', () => {
    it('is no value of the profile, neither by itself nor through an event, and leaves what stands there', async () => {
      await ask('update_profile', { key: 'city', value: 'Leith', trust: 'user' });
      const { event_id: id } = await ask('add_event', {
        event_type: 'other',
        description: '助手说你住在奥斯陆',
        metadata: { trust: 'assistant' },
      });
      const { event_id: drawn } = await ask('add_event', {
        event_type: 'other',
        description: 'Moved to Oslo.',
        derived_from: [`event:${id}`],
        metadata: { trust: 'user' },
      });
      expect(await ask('get_event', { event_id: drawn })).toMatchObject({
        event: { metadata: { trust: 'assistant', said_by: 'user,assistant' } },
      });
      const [pet, home] = [
        await ask('create_entity', { entity_type: 'pet' }),
        await ask('create_entity', { entity_type: 'property' }),
      ].map(({ entity_id: thing }) => thing);
      const drawnFrom = { derived_from: [`event:${drawn}`] };
      await expect(ask('create_entity', { entity_type: 'person', ...drawnFrom })).rejects.toThrow(/said by/u);
      const ends = { entity_id_1: pet, entity_id_2: home, relation_type: 'lives_at' };
      await expect(ask('create_entity_relation', { ...ends, ...drawnFrom })).rejects.toThrow(/said by/u);
      for (const from of [{ trust: 'assistant' }, { trust: 'document' }, { derived_from: [`event:${drawn}`] }]) {
        await expect(ask('update_profile', { key: 'city', value: 'Oslo', ...from })).rejects.toThrow(/said by/u);
      }
      expect(await values()).toMatchObject({ city: 'Leith' });
      await ask('update_profile', { key: 'city', value: 'Hull', trust: 'other' });
      expect(await values()).toMatchObject({ city: 'Hull' });
    });
  });

  describe('what was drawn from what', () => {
    it('is believed as the least of what is left', async () => {
      const event = { event_type: 'other', description: '听说的' };
      const { event_id: rumour } = await ask('add_event', { ...event, metadata: { trust: 'assistant' } });
      const { event_id: word } = await ask('add_event', {
        ...event,
        description: '亲口说的',
        metadata: { trust: 'user' },
      });
      const from = { derived_from: [`event:${rumour}`, `event:${word}`], metadata: { trust: 'other' } };
      const { event_id: drawn } = await ask('add_event', { ...event, description: '搬家了', ...from });
      const trust = async () =>
        ((await ask('get_event', { event_id: drawn }))['event'] as { metadata: Record<string, unknown> }).metadata;
      expect(await trust()).toMatchObject({ trust: 'assistant', said_by: 'user,other,assistant' });
      await ask('delete_event', { event_id: rumour });
      expect(await trust()).toMatchObject({ trust: 'other', said_by: 'user,other' });
    });

    it('is in an export, and comes back with it', async () => {
      const event = { event_type: 'other', description: '搬到利斯', derived_from: ['note:1'] };
      const { event_id: id } = await ask('add_event', event);
      await ask('update_profile', { key: 'city', value: 'Leith', derived_from: [`event:${id}`, 'note:2'] });
      await ask('update_profile', { key: 'job', value: 'smith' });
      const about = [
        await ask('create_entity', { entity_type: 'person', name: '小波', derived_from: [`event:${id}`] }),
        await ask('create_entity', { entity_type: 'person', name: 'Kai', derived_from: ['note:1'] }),
      ].map(({ entity_id: thing }) => thing);
      const ends = { entity_id_1: about[0], entity_id_2: about[1], relation_type: 'knows' };
      await ask('create_entity_relation', { ...ends, derived_from: ['note:1'] });
      const { data } = await ask('export_data', { format: 'json' });
      await ask('delete_profile', { key: 'city', erase_history: true });
      await ask('delete_event', { event_id: id });
      const gone = { sources: ['note:1', 'note:2'], change: 'forgotten' };
      await follow({ ...gone, dry_run: false });
      expect(await follow(gone)).toEqual([]);
      await ask('import_data', { format: 'json', data });
      expect(await follow(gone)).toEqual([
        { id: expect.stringMatching(/^event:/u), what: 'removed', text: '搬到利斯' },
        { id: expect.stringMatching(/^relation:/u), what: 'removed', text: '小波 knows Kai' },
        { id: 'fact:city', what: 'removed', text: 'city: Leith' },
        { id: expect.stringMatching(/^entity:/u), what: 'removed', text: 'Kai' },
        { id: expect.stringMatching(/^entity:/u), what: 'removed', text: '小波' },
      ]);
      expect(await follow({ sources: ['note:1'], change: 'forgotten' })).toMatchObject([
        { what: 'removed' },
        { what: 'removed' },
        { id: 'fact:city', what: 'kept', sources_left: 1 },
        { what: 'removed' },
        { what: 'removed' },
      ]);
    });
  });

  describe('many people and relations of one note', () => {
    it('are each looked up by themselves: neither all relations nor all claims of imports are read', async () => {
      const add = async (name: string) =>
        (await ask('create_entity', { entity_type: 'person', name, derived_from: ['note:1'] }))['entity_id'];
      const [first, second] = [await add('Ines'), await add('小波')];
      const ends = { entity_id_1: first, entity_id_2: second, relation_type: 'knows' };
      await ask('create_entity_relation', { ...ends, derived_from: ['note:1'] });
      const refuse = (): never => {
        throw new Error('read all of them');
      };
      const followed = await test.store.use('ann', (memory) => {
        const guarded: typeof memory = {
          ...memory,
          allClaims: refuse,
          relations: (entityId, type) => (entityId === undefined ? refuse() : memory.relations(entityId, type)),
        };
        const context = {
          memory: guarded,
          clock: test.clock.now,
          zone: 'UTC',
          maxEvents: 9,
          embed: async () => undefined,
        };
        return followChange({ sources: ['note:1'], change: 'forgotten', isDryRun: true }, context);
      });
      expect(followed.map(({ what, text }) => [what, text])).toEqual([
        ['removed', 'Ines knows 小波'],
        ['removed', 'Ines'],
        ['removed', '小波'],
      ]);
    });
  });
}
