import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MemoryStore } from '../src/domain/store.ts';
import { operations } from '../src/operations/index.ts';
import { connect, type MemoryClient, makeFolder, openStore, removeFolder, schemes } from './support/memory.ts';

const SECRET = 'Zanzibar';

/** The example of a tool, without its user. */
function exampleOf(tool: string): Record<string, unknown> {
  const { user_id: _user, ...args } = Object(operations.find(({ name }) => name === tool)?.example?.input);
  return args;
}

describe.each(schemes)('one user never sees the memory of another, in the %s store', (scheme) => {
  let folder: string;
  let store: MemoryStore;
  let ann: MemoryClient;
  let eve: MemoryClient;
  beforeEach(async () => {
    folder = makeFolder();
    store = openStore(folder, scheme);
    ann = await connect(store, { userId: 'ann' });
    eve = await connect(store, { userId: 'eve' });
    // In a file of her own, eve's numbers would begin where ann's do: what answers to them must be hers.
    await ann.ask('create_entity', { entity_type: 'pet', name: SECRET, attributes: { note: SECRET }, tags: [SECRET] });
    await ann.ask('create_entity', { entity_type: 'person', name: `${SECRET} II` });
    await ann.ask('add_entity_alias', { entity_id: 1, alias: `alias ${SECRET}` });
    await ann.ask('create_entity_relation', { entity_id_1: 2, entity_id_2: 1, relation_type: `owns ${SECRET}` });
    await ann.ask('add_event', {
      event_type: 'illness',
      description: `${SECRET} ill`,
      related_entity_ids: [1, 2],
      metadata: { cost: 77_123 },
    });
    await ann.ask('update_profile', { key: SECRET, value: SECRET });
  });
  afterEach(async () => {
    await Promise.all([ann.close(), eve.close()]);
    await store.close();
    removeFolder(folder);
  });

  /** Arguments that reach for what ann has; a tool without any is called with its example. */
  const reaching: Readonly<Record<string, Record<string, unknown>>> = {
    update_profile: { key: 'own', value: 'eve' },
    query_profile: { keys: [SECRET] },
    search_profile_by_keywords: { keywords: [SECRET] },
    delete_profile: { key: SECRET, erase_history: true },
    query_profile_history: { key: SECRET },
    rollback_profile: { key: SECRET, to: 1 },
    create_entity: { entity_type: 'other' },
    update_entity: { entity_id: 1, attributes: { stolen: true } },
    list_entities: { status: 'all' },
    search_entities_by_keywords: { keywords: [SECRET], status: 'all' },
    resolve_entity: { text: SECRET },
    add_entity_alias: { entity_id: 1, alias: 'stolen' },
    merge_entities: { entity_id: 1, duplicate_id: 2 },
    delete_entity: { entity_id: 1 },
    create_entity_relation: { entity_id_1: 1, entity_id_2: 2, relation_type: 'stolen' },
    query_entity_relations: { entity_id: 1 },
    delete_entity_relation: { relation_id: 1 },
    add_event: { event_type: 'other', description: 'eve', related_entity_ids: [1], parent_event_id: 1 },
    search_events: { query: SECRET, event_ids: [1] },
    query_entity_timeline: { entity_id: 1 },
    update_event: { event_id: 1, description: 'stolen' },
    delete_event: { event_id: 1 },
    summarize_entities: { status: 'all' },
    summarize_events: { group_by: 'entity' },
    analyze_trends: { entity_id: 1 },
    export_data: {},
    import_data: { format: 'json', data: JSON.stringify({ format: 'contextloom-personal-memory', version: 1 }) },
  };

  it('through any tool, whatever it asks for, and changes nothing of it', async () => {
    const { tools } = await eve.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(reaching)));
    const before = (await ann.ask('export_data'))['data'];
    for (const { name: tool } of tools) {
      const { text, structured } = await eve.callTool(tool, reaching[tool] ?? exampleOf(tool));
      expect([tool, text]).not.toContainEqual(expect.stringContaining(`${SECRET} `));
      const shown = JSON.stringify(structured ?? {});
      expect([tool, shown]).not.toContainEqual(expect.stringContaining('77123'));
      expect([tool, shown]).not.toContainEqual(expect.stringContaining(SECRET));
    }
    expect((await ann.ask('export_data'))['data']).toBe(before);
  });

  it('through resources or their list', async () => {
    await expect(eve.readText('memory://trends/illness.svg')).rejects.toThrow('no illness events');
    await expect(eve.readText('memory://trends/illness.svg?user_id=ann')).rejects.toThrow();
    const { resources } = await eve.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['memory://event-templates']);
  });

  it('by naming that user to a server that is bound to another', async () => {
    expect(await eve.fail('query_profile', { user_id: 'ann' })).toMatch(/^user_id must be "eve" or left out/);
    expect(await eve.ask('query_profile', { user_id: 'eve' })).toEqual({ profile: [] });
  });

  it('on a server for many, which wants the user of each call', async () => {
    const many = await connect(store, { userId: undefined });
    expect(await many.fail('query_profile')).toMatch(/^user_id is required/);
    expect(await many.ask('query_profile', { user_id: 'eve' })).toEqual({ profile: [] });
    expect(await many.ask('query_profile', { user_id: 'ann' })).toMatchObject({ profile: [{ value: SECRET }] });
    expect(await many.readText('memory://trends/illness.svg?user_id=ann')).toContain('<svg');
    await expect(many.readText('memory://trends/illness.svg?user_id=eve')).rejects.toThrow('no illness events');
    const { resources } = await many.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['memory://event-templates']);
    await many.close();
  });
});
