import type { MemoryStore } from '../../src/domain/store.ts';
import { connect, createClock } from './memory.ts';

const USERS = ['ann', 'bob', '用户'];

/** Fills a store with something of every kind, for each user something else. */
export async function fill(store: MemoryStore): Promise<void> {
  const client = await connect(store, { userId: undefined, clock: createClock() });
  for (const [at, user_id] of USERS.entries()) {
    for (const name of ['Mei', 'Biscuit']) {
      await client.ask('create_entity', { user_id, entity_type: 'pet', name: `${name} ${at}`, tags: ['dog', '狗'] });
    }
    await client.ask('add_entity_alias', { user_id, entity_id: 1, alias: 'Bix' });
    const relation = { entity_id_1: 1, entity_id_2: 2, relation_type: 'sibling_of', metadata: { since: 2020 } };
    await client.ask('create_entity_relation', { user_id, ...relation });
    for (let n = 0; n < 6; n += 1) {
      const event = { event_type: 'illness', description: `saw the vet ${n}`, metadata: { cost: n } };
      await client.ask('add_event', { user_id, ...event, related_entity_ids: [1 + (n % 2)], derived_from: ['note:x'] });
    }
    await client.ask('add_event', { user_id, event_type: 'other', description: 'again', parent_event_id: 2 });
    await client.ask('delete_event', { user_id, event_id: 6 });
    for (const value of ['black', 'green']) await client.ask('update_profile', { user_id, key: 'tea', value });
    const graph = { import_id: 'one', entities: [{ name: 'Ben', kind: 'person', observations: ['lives in Lyon'] }] };
    await client.ask('add_graph', { user_id, ...graph, relations: [] });
  }
  await client.close();
}

/** All that a store has and finds, as callers see it. */
export async function readAll(store: MemoryStore): Promise<unknown> {
  const client = await connect(store, { userId: undefined, clock: createClock() });
  const all: unknown[] = [await store.users()];
  for (const user_id of await store.users()) {
    all.push(await client.ask('export_data', { user_id }));
    all.push(await client.ask('search_events', { user_id, query: 'what did the vet cost', limit: 50 }));
    all.push(await client.ask('query_profile_history', { user_id, key: 'tea' }));
    all.push(await client.ask('query_entity_relations', { user_id, entity_id: 1 }));
    all.push(await store.count(user_id));
  }
  await client.close();
  return all;
}
