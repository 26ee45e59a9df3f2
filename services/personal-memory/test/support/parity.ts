import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { MemoryStore } from '../../src/domain/store.ts';
import { connect, createClock, type MemoryClient } from './memory.ts';

/** Whose memories are compared. */
export const users = ['ann', 'bob', '用户'];

const words = ['vet', 'pier', 'tea', 'Leith', 'walked', 'paid', 'dentist', '喝茶', '旺财', '看病', 'garden', 'train'];
const names = ['Mei', 'Biscuit', '旺财', 'Ben', 'the old car'];
const text = fc
  .tuple(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }), fc.integer({ min: 0, max: 9 }))
  .map(([some, n]) => `${some.join(' ')} ${n}`);
const name = fc.constantFrom(...names);
const id = fc.integer({ min: 1, max: 8 });
const tags = fc.uniqueArray(fc.constantFrom('home', 'work', ',', 'a"b', '茶'), { maxLength: 3 });
const day = fc.integer({ min: 1, max: 28 }).map((n) => `2025-0${1 + (n % 9)}-${String(n).padStart(2, '0')}`);
const event_type = fc.constantFrom('purchase', 'illness', 'activity', 'other');
const entity_type = fc.constantFrom('pet', 'person', 'vehicle');

const of = (tool: string, args: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Call> =>
  fc.record({ user_id: fc.constantFrom(...users), ...args }).map((given) => ({ tool, args: given }));

/** A call of a tool. */
export interface Call {
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

const key = fc.constantFrom('city', 'location', 'tea', 'job');
const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });

/** Calls that change something, in any order: many are refused, and by both engines alike. */
export const changes: fc.Arbitrary<Call> = fc.oneof(
  of('add_event', {
    event_type,
    description: text,
    timestamp: day,
    tags,
    related_entity_ids: fc.uniqueArray(id, { maxLength: 2 }),
    metadata: fc.record({ cost: fc.integer({ min: 0, max: 500 }), note: text }),
    derived_from: optional(fc.constantFrom(['event:1'], ['note:a', 'fact:tea'], ['entity:1'])),
  }),
  of('add_event', { event_type, description: text, timestamp: day, parent_event_id: optional(id) }),
  of('update_event', { event_id: id, description: optional(text), tags: optional(tags) }),
  of('delete_event', { event_id: id }),
  of('create_entity', { entity_type, name: optional(name), tags, attributes: fc.record({ kind: text }) }),
  of('update_entity', { entity_id: id, name: optional(name), attributes: fc.record({ age: fc.nat(9) }) }),
  of('add_entity_alias', { entity_id: id, alias: name }),
  of('merge_entities', { entity_id: id, duplicate_id: id }),
  of('delete_entity', { entity_id: id }),
  of('create_entity_relation', { entity_id_1: id, entity_id_2: id, relation_type: fc.constantFrom('owns', 'knows') }),
  of('delete_entity_relation', { relation_id: id }),
  of('update_profile', { key, value: text, tags: optional(tags), derived_from: optional(fc.constant(['event:2'])) }),
  of('delete_profile', { key, erase_history: fc.boolean() }),
  of('rollback_profile', { key }),
  of('add_graph', {
    import_id: fc.constantFrom('one', 'two'),
    entities: fc.array(
      fc.record({ name, kind: fc.constant('person'), observations: fc.array(text, { maxLength: 2 }) }),
      {
        maxLength: 2,
      },
    ),
    relations: fc.array(fc.record({ from: name, to: name, relation_type: fc.constant('knows') }), { maxLength: 2 }),
  }),
  of('remove_import', { import_id: fc.constantFrom('one', 'two') }),
);

/** Calls that ask. */
export const questions: fc.Arbitrary<Call> = fc.oneof(
  of('search_events', { query: text, limit: fc.integer({ min: 1, max: 20 }), event_type: optional(event_type) }),
  of('search_events', { query: name, min_score: optional(fc.constantFrom(0, 0.2, 0.5)) }),
  of('search_events', {
    keywords: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
    match_mode: fc.constantFrom('any', 'all'),
  }),
  of('search_events', {
    tag: optional(fc.constantFrom('home', ',', 'a"b')),
    entity_id: optional(id),
    offset: fc.nat(3),
  }),
  of('resolve_entity', { text: fc.oneof(name, fc.constantFrom('my dog', '我的狗', 'the car')) }),
  of('list_entities', { entity_type: optional(entity_type), limit: fc.integer({ min: 1, max: 5 }) }),
  of('search_entities_by_keywords', { keywords: fc.tuple(name) }),
  of('search_profile_by_keywords', { keywords: fc.tuple(fc.constantFrom(...words)) }),
  of('query_profile', {}),
  of('query_profile_history', { key }),
  of('query_entity_timeline', { entity_id: id }),
  of('query_entity_relations', {}),
  of('summarize_events', { group_by: fc.constantFrom('type', 'month', 'entity') }),
  of('summarize_entities', {}),
  of('export_data', {}),
);

/** What a caller is told, be it an answer or a refusal. */
async function tell(client: MemoryClient, { tool, args }: Call): Promise<unknown> {
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  const { text: told, structured } = await client.callTool(tool, given);
  return structured ?? told;
}

/** Gives two stores the same calls, one after the other, and compares what each is told; answers how many were asked. */
export async function compareStores(
  stores: readonly [MemoryStore, MemoryStore],
  calls: readonly Call[],
): Promise<void> {
  const clock = createClock();
  const clients = [];
  for (const store of stores) clients.push(await connect(store, { userId: undefined, clock }));
  const [one, other] = clients as [MemoryClient, MemoryClient];
  for (const call of calls) {
    clock.addDays(0.01);
    expect({ call, told: await tell(other, call) }).toEqual({ call, told: await tell(one, call) });
  }
  for (const client of clients) await client.close();
}
