import { findBytes } from '@contextloom/testing/find-bytes';
import { describe, expect, it } from '@jest/globals';
import { forgetAllEnded, withoutEnded } from '../src/domain/ends/without-ended.ts';
import { connect } from './support/memory.ts';
import { type MemoryTest, useMemory } from './support/memory-test.ts';

const SOON = '2025-10-29T20:00:00+08:00';
const SOON_ISO = '2025-10-29T12:00:00.000Z';
const WORDS = ['Zanzibar', '桑给巴尔', 'Kilwa-lantern'];

let test: MemoryTest;
const ask = (tool: string, args: Record<string, unknown>) => test.ann.ask(tool, args);
const store = () => withoutEnded(test.store, test.clock.now);

/** All that a memory says of itself, as text. */
async function tellAll(): Promise<string> {
  const answers = [
    await ask('query_profile', {}),
    await ask('search_profile_by_keywords', { keywords: WORDS }),
    await ask('search_events', { query: 'Zanzibar 桑给巴尔' }),
    await ask('search_events', { keywords: WORDS }),
    await ask('list_entities', { status: 'active' }),
    await ask('search_entities_by_keywords', { keywords: WORDS }),
    await ask('resolve_entity', { text: 'Kilwa-lantern' }),
    await ask('query_entity_relations', {}),
    await ask('query_profile_history', { key: 'trip' }),
    await ask('export_user', {}),
  ];
  return JSON.stringify(answers);
}

/** A fact with an earlier value, an event, a person and what rests on the fact, all with one end, beside what has none. */
async function fill(): Promise<{ readonly event: number; readonly entity: number }> {
  await ask('update_profile', { key: 'trip', value: '桑给巴尔' });
  await ask('update_profile', { key: 'trip', value: 'Zanzibar', expires_at: SOON });
  await ask('update_profile', { key: 'packs', value: 'for Zanzibar', derived_from: ['fact:trip'] });
  await ask('update_profile', { key: 'city', value: 'Leith' });
  const { entity_id: other } = await ask('create_entity', { entity_type: 'person', name: 'Owen' });
  const { entity_id: entity } = await ask('create_entity', {
    entity_type: 'person',
    name: 'Kilwa-lantern',
    expires_at: SOON,
  });
  await ask('create_entity_relation', { entity_id_1: other, entity_id_2: entity, relation_type: 'knows' });
  const event = { event_type: 'other', related_entity_ids: [entity] };
  const { event_id } = await ask('add_event', { ...event, description: '去桑给巴尔', expires_at: SOON });
  await ask('add_event', { ...event, description: 'Saw the harbour' });
  return { event: Number(event_id), entity: Number(entity) };
}

/** What becomes of memories with an end in every store. */
export function describeEnds(open?: Parameters<typeof useMemory>[1], hasFiles = true): void {
  test = useMemory({ userId: 'ann' }, open);

  describe('a memory with an end', () => {
    it('is there until then, and from then on nothing shows it, whether anything has run or not', async () => {
      const { event, entity } = await fill();
      const before = await tellAll();
      for (const word of [...WORDS, SOON_ISO]) expect(before).toContain(word);
      test.clock.set(SOON);
      await test.ann.fail('get_event', { event_id: event });
      await test.ann.fail('get_entity', { entity_id: entity });
      const after = await tellAll();
      for (const word of WORDS) expect(after).not.toContain(word);
      for (const word of ['Leith', 'Owen', 'Saw the harbour']) expect(after).toContain(word);
      expect(await ask('rollback_profile', { key: 'trip' })).toMatchObject({ rolled_back: false });
    });

    it('is not shown to the first who changes something either, and a receipt without words stays', async () => {
      await fill();
      test.clock.set(SOON);
      expect(await ask('update_profile', { key: 'trip', value: 'none' })).toMatchObject({ previous_value: null });
      expect(await test.store.count('ann')).toContainEqual({ what: 'receipts of what has ended', count: 3 });
      expect(await test.store.endedUsers(test.clock.now().getTime())).toEqual([]);
      // The new value has no end of the one before.
      test.clock.addDays(400);
      expect(JSON.stringify(await ask('query_profile', {}))).toContain('none');
    });

    it('goes where nobody asks, with its bytes', async () => {
      await fill();
      expect(await forgetAllEnded(store(), test.clock.now)).toBe(0);
      test.clock.set(SOON);
      expect(await test.store.endedUsers(test.clock.now().getTime())).toEqual(['ann']);
      expect(await forgetAllEnded(store(), test.clock.now)).toBe(1);
      if (!hasFiles) return;
      expect(findBytes(test.folder, WORDS)).not.toEqual([]);
      await test.store.eraseDeleted?.();
      expect(findBytes(test.folder, WORDS)).toEqual([]);
    });

    it('keeps its end when it is said again, deleted and brought back, or imported elsewhere', async () => {
      await fill();
      await ask('update_profile', { key: 'trip', value: 'Zanzibar' });
      await ask('delete_profile', { key: 'trip' });
      await ask('rollback_profile', { key: 'trip' });
      const { format, version, lines } = await ask('export_user', {});
      const bob = await connect(test.store, { userId: 'bob', clock: test.clock });
      await bob.ask('import_user', { format, version, lines });
      expect(JSON.stringify(await bob.ask('query_profile', {}))).toContain('Zanzibar');
      test.clock.set(SOON);
      for (const one of [test.ann, bob]) {
        expect(JSON.stringify(await one.ask('export_user', {}))).not.toMatch(/Zanzibar|桑给巴尔|Kilwa/u);
      }
      await bob.close();
    });

    it('loses its end with its history, and of two that are one the later end counts', async () => {
      await fill();
      await ask('delete_profile', { key: 'trip', erase_history: true });
      await ask('update_profile', { key: 'trip', value: 'Bergen' });
      const make = async (expires_at?: string) =>
        (await ask('create_entity', { entity_type: 'pet', name: 'Bix', ...(expires_at && { expires_at }) }))[
          'entity_id'
        ];
      const merge = async (one: unknown, other: unknown) =>
        ask('merge_entities', { entity_id: one, duplicate_id: other });
      const [both, later, alone] = [await make(SOON), await make('2025-11-10T00:00:00Z'), await make(SOON)];
      await merge(both, later);
      const kept = await make();
      await merge(kept, alone);
      test.clock.set(SOON);
      await ask('get_entity', { entity_id: both });
      test.clock.set('2025-11-10T00:00:00Z');
      await test.ann.fail('get_entity', { entity_id: both });
      await ask('get_entity', { entity_id: kept });
      expect(JSON.stringify(await ask('query_profile', {}))).toContain('Bergen');
    });

    it('has that of a rule where it says none: by kind, source and user', async () => {
      const DAY = 86_400_000;
      const asked: unknown[] = [];
      const toLifetime = (memory: { readonly tags: readonly string[] }) => {
        asked.push(memory);
        return memory.tags.includes('event') ? DAY : undefined;
      };
      const ann = await connect(test.store, { userId: 'ann', clock: test.clock, toLifetime });
      const event = { event_type: 'other', tags: ['walk'], metadata: { project: 'work/x' } };
      await ann.ask('add_event', { ...event, description: 'Zanzibar' });
      await ann.ask('add_event', { ...event, description: 'Bergen', expires_at: '2026-01-01T00:00:00Z' });
      await ann.ask('update_profile', { key: 'trip', value: '桑给巴尔', category: 'habits' });
      expect(asked).toEqual([
        { tags: ['event', 'other', 'walk'], metadata: { project: 'work/x', user_id: 'ann' } },
        { tags: ['fact', 'habits'], metadata: { user_id: 'ann' } },
      ]);
      test.clock.addDays(1);
      const told = JSON.stringify([await ann.ask('search_events', {}), await ann.ask('query_profile', {})]);
      expect(told).not.toContain('Zanzibar');
      for (const word of ['Bergen', '桑给巴尔']) expect(told).toContain(word);
      await ann.close();
    });

    it.each([
      ['update_profile', { key: 'a', value: 'b' }],
      ['add_event', { event_type: 'other', description: 'a' }],
      ['create_entity', { entity_type: 'pet' }],
    ])('has an end that is a time: %s', async (tool, args) => {
      expect(await test.ann.fail(tool, { ...args, expires_at: 'soon' })).toMatch(/expires_at.*ISO 8601/u);
    });
  });
}
