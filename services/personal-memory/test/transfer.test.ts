import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@contextloom/sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MemoryStore } from '../src/domain/store.ts';
import { exportTo, importFrom } from '../src/jobs.ts';
import { readReferenceDatabase } from '../src/store/reference-database.ts';
import {
  connect,
  createClock,
  embed,
  type MemoryClient,
  makeFolder,
  openStore,
  removeFolder,
  schemes,
} from './support/memory.ts';

let folder: string;
let store: MemoryStore;
let ann: MemoryClient;
let copy: MemoryClient;
let clock: ReturnType<typeof createClock>;

async function open(scheme: (typeof schemes)[number]): Promise<void> {
  store = openStore(folder, scheme);
  clock = createClock('2025-10-28T12:00:00.017Z');
  ann = await connect(store, { userId: 'ann', clock });
  copy = await connect(store, { userId: 'copy', clock });
}
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  await Promise.all([ann.close(), copy.close()]);
  await store.close();
  removeFolder(folder);
});

async function fill(): Promise<void> {
  const nasty = '=1+1,"quoted"\r\nline two; 茶 😀\t\\n';
  const { entity_id: gone } = await ann.ask('create_entity', { entity_type: 'other', name: 'gone' });
  const { entity_id: dog } = await ann.ask('create_entity', {
    entity_type: 'pet',
    name: '旺财',
    attributes: { breed: '金毛', n: [1, { a: nasty }] },
    tags: ['a,b', '犬'],
  });
  await ann.ask('add_entity_alias', { entity_id: dog, alias: '财财' });
  await ann.ask('delete_entity', { entity_id: gone });
  await ann.ask('create_entity_relation', {
    entity_id_1: dog,
    entity_id_2: gone,
    relation_type: 'knows',
    metadata: { since: 2020 },
  });
  const { event_id } = await ann.ask('add_event', {
    event_type: 'illness',
    description: nasty,
    related_entity_ids: [dog, gone],
    metadata: { cost: 0.1, empty: '', none: null },
    importance: 0,
    timestamp: '昨天',
  });
  const { event_id: lost } = await ann.ask('add_event', { event_type: 'other', description: 'lost' });
  await ann.ask('delete_event', { event_id: lost });
  await ann.ask('add_event', { event_type: 'other', description: 'follow-up', parent_event_id: event_id, tags: ['x'] });
  for (const value of ['one', nasty])
    await ann.ask('update_profile', { key: 'k', value, tags: ['t'], category: 'habits', confidence: 0.25 });
  await ann.ask('update_profile', { key: 'gone', value: 'x' });
  await ann.ask('delete_profile', { key: 'gone' });
}

describe.each(schemes)('export and import, in the %s store', (scheme) => {
  it.each(['json', 'csv'])('go round trip as %s, exactly, and again without adding anything', async (format) => {
    await open(scheme);
    await fill();
    const { data, records } = await ann.ask('export_data', { format });
    // Two events, and two changes of facts.
    expect(records).toEqual({ profile: 1, entities: 2, relations: 1, events: 4 });
    expect(await copy.ask('import_data', { format, data })).toMatchObject({ imported: records });
    expect((await copy.ask('export_data', { format }))['data']).toBe(data);
    expect(await copy.ask('import_data', { format, data })).toEqual({
      imported: { profile: 0, entities: 0, relations: 0, events: 0 },
      already_known: records,
    });
    expect((await copy.ask('export_data', { format }))['data']).toBe(data);
    expect(await copy.ask('search_events', { keywords: ['茶'], event_type: 'illness' })).toMatchObject({
      events: [{ importance: 0 }],
    });
  });
});

describe.each(['json', 'csv'])('a graph that was corrected, exported and imported as %s', (format) => {
  beforeEach(() => open('shared'));

  it('stays corrected when the graph is imported again, and can be taken back', async () => {
    const graph = {
      entities: [
        { name: 'Ann', kind: 'person', observations: ['lives in Lyon', 'is a nurse'] },
        { name: 'Tea House', kind: 'company', observations: [] },
      ],
      relations: [
        { from: 'Ann', to: 'Tea House', relation_type: 'works_at' },
        { from: 'Tea House', to: 'Ann', relation_type: 'pays' },
      ],
    };
    await ann.ask('add_graph', { import_id: 'a', ...graph });
    await ann.ask('update_entity', { entity_id: 1, attributes: { observations: ['lives in Oban', 'is a nurse'] } });
    await ann.ask('delete_entity_relation', { relation_id: 1 });
    // Other numbers than there.
    await copy.ask('create_entity', { entity_type: 'pet', name: 'Momo' });
    const { data } = await ann.ask('export_data', { format });
    await copy.ask('import_data', { format, data });
    for (const import_id of ['a', 'b']) {
      expect(await copy.ask('add_graph', { import_id, ...graph })).toMatchObject({
        added: { entities: 0, observations: 0, relations: 0 },
      });
    }
    expect(await copy.ask('remove_import', { import_id: 'b' })).toMatchObject({ removed: { observations: 0 } });
    expect(await copy.ask('list_entities', { status: 'all' })).toMatchObject({
      entities: [
        { name: 'Momo' },
        { name: 'Ann', attributes: { observations: ['lives in Oban', 'is a nurse'] } },
        { name: 'Tea House' },
      ],
    });
    expect(await copy.ask('query_entity_relations', {})).toMatchObject({ relations: [{ relation_type: 'pays' }] });
    expect(await copy.ask('remove_import', { import_id: 'a' })).toMatchObject({
      removed: { observations: 1, relations: 1 },
    });
    expect(await copy.ask('query_entity_relations', {})).toMatchObject({ relations: [] });
  });
});

describe('an import', () => {
  beforeEach(() => open('shared'));

  it('knows an entity that was renamed since, and takes over what is later', async () => {
    await fill();
    const { entity_id: flat } = await ann.ask('create_entity', { entity_type: 'property', attributes: { rooms: 2 } });
    const { data: before, records } = await ann.ask('export_data', { format: 'json' });
    await copy.ask('import_data', { format: 'json', data: before });
    clock.addDays(1);
    await ann.ask('update_entity', { entity_id: 2, name: '旺旺' });
    await ann.ask('update_entity', { entity_id: flat, name: '滨江花园', attributes: { rooms: 3 } });
    const { data: after } = await ann.ask('export_data', { format: 'json' });
    const nothing = { imported: { profile: 0, entities: 0, relations: 0, events: 0 }, already_known: records };
    expect(await ann.ask('import_data', { format: 'json', data: before })).toEqual(nothing);
    expect((await ann.ask('export_data', { format: 'json' }))['data']).toBe(after);
    expect(await copy.ask('import_data', { format: 'json', data: after })).toEqual(nothing);
    expect((await copy.ask('export_data', { format: 'json' }))['data']).toBe(after);
  });

  it.each([
    ['json', 'nonsense', /^data must be JSON/],
    ['json', '{"format":"contextloom-personal-memory","version":2}', /^data\.version must be/],
    ['csv', 'record\nparty', /^data, row 2, column record: must be one of profile/],
    ['csv', 'record,metadata\nevents,{', /^data, row 2, column metadata: must be JSON/],
    ['csv', '"', /^data must be CSV/],
    ['csv', 'constructor\nx', /^data must be CSV as export_data writes it: there is no column record/],
    ['csv', 'record,key\nconstructor,x', /^data, row 2, column record: must be one of profile/],
    ['csv', 'record,key\n__proto__,x', /^data, row 2, column record: must be one of profile/],
    ['csv', 'hello', /^data must be CSV as export_data writes it: there is no column record/],
  ])('of %s %j is refused by name', async (format, data, message) => {
    expect(await ann.fail('import_data', { format, data })).toMatch(message);
  });

  const at = '2025-01-01T00:00:00Z';
  const frame = { format: 'contextloom-personal-memory', version: 1 };
  const load = (parts: object) =>
    ann.ask('import_data', { format: 'json', data: JSON.stringify({ ...frame, ...parts }) });

  it('of CSV with columns of other names leaves those out', async () => {
    const data = 'record,constructor,__proto__,key,value,updated_at\nprofile,a,b,tea,green,2025-01-01T00:00:00Z\n';
    expect(await ann.ask('import_data', { format: 'csv', data })).toMatchObject({ imported: { profile: 1 } });
    expect(await ann.ask('query_profile')).toMatchObject({ profile: [{ key: 'tea', value: 'green' }] });
  });

  it('of CSV in many parts keeps characters whole', async () => {
    const head = 'record,key,value,updated_at\n';
    const rows = Array.from({ length: 3_000 }, (_, n) => `profile,k${n},"${'茶😀'.repeat(1 + (n % 17))}",${at}`);
    const data = head + rows.join('\n');
    expect(await ann.ask('import_data', { format: 'csv', data })).toMatchObject({ imported: { profile: 3_000 } });
    const { profile } = await ann.ask('query_profile', { keys: ['k16', 'k2999'] });
    expect(profile).toMatchObject([{ value: '茶😀'.repeat(17) }, { value: '茶😀'.repeat(1 + (2_999 % 17)) }]);
  });

  it.each([[['newer', 'older']], [['older', 'newer']]])(
    'with a key twice (%j) keeps the newer value',
    async (order) => {
      const times: Record<string, string> = { older: '2025-01-01T00:00:00Z', newer: '2025-02-01T00:00:00Z' };
      await load({ profile: order.map((value) => ({ key: 'tea', value, updated_at: times[value] })) });
      expect(await ann.ask('query_profile')).toMatchObject({ profile: [{ value: 'newer' }] });
    },
  );

  it('with a relation of an entity to itself is refused by name', async () => {
    const entities = [{ entity: 1, entity_type: 'pet', created_at: at, updated_at: at }];
    const relations = [{ entity_1: 1, entity_2: 1, relation_type: 'knows', created_at: at }];
    await expect(load({ entities, relations })).rejects.toThrow(
      'data.relations[0].entity_2 must be another entity than entity_1',
    );
  });

  it('with a reference to nothing is refused, and adds nothing', async () => {
    const entity = {
      entity: 1,
      entity_type: 'pet',
      created_at: '2025-01-01T00:00:00Z',
      updated_at: '2025-01-01T00:00:00Z',
    };
    const event = { event: 1, event_type: 'other', description: 'x', timestamp: '2025-01-01T00:00:00Z' };
    const toData = (events: object[]) =>
      JSON.stringify({ format: 'contextloom-personal-memory', version: 1, entities: [entity], events });
    expect(await ann.fail('import_data', { format: 'json', data: toData([{ ...event, entities: [1, 2] }]) })).toMatch(
      /^data\.events\[0\]\.entities\[1\] must be the number/,
    );
    expect(await ann.fail('import_data', { format: 'json', data: toData([{ ...event, parent: 1 }]) })).toMatch(
      /^data\.events\[0\]\.parent/,
    );
    expect(await ann.ask('list_entities')).toEqual({ entities: [] });
  });
});

describe('a file', () => {
  beforeEach(() => open('shared'));
  const toOptions = (userId?: string) => ({
    store,
    embed,
    clock: createClock().now,
    zone: 'UTC',
    maxEvents: 100,
    userId,
  });

  it.each([
    ['half.json', '{"users": {', /half\.json must be JSON as export_data writes it/],
    ['odd.json', '{"users": 5}', /odd\.json: users must be an object/],
    ['bad.json', '{"users": {"a\\u0000": {}}}', /bad\.json, a user must not contain/],
    ['ann.json', '{"users": {"ann": {}}}', /ann\.json, ann\.format must be one of/],
    ['one.json', '{}', /one\.json is of one user: name them with --user-id/],
    ['ONE.CSV', 'record\nparty', /ONE\.CSV is of one user/],
    ['no.db', '{}', /damaged|not a database|cannot be/],
  ])('%s that holds %j is refused by name', async (name, text, message) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    await expect(importFrom(file, toOptions())).rejects.toThrow(message);
  });

  it.each([
    ['all.csv', undefined, /--export of all users must be a \.json file/],
    ['all.txt', undefined, /--export must be a \.json or \.csv file/],
    ['ann', 'ann', /--export must be a \.json or \.csv file/],
  ])('%s is not written', async (name, userId, message) => {
    await expect(exportTo(join(folder, name), toOptions(userId))).rejects.toThrow(message);
  });
});

describe('a database of the reference program', () => {
  beforeEach(() => open('shared'));

  it('is read with its timelines whole, each user apart', async () => {
    const file = join(folder, 'reference.db');
    const rows = `
      CREATE TABLE user_profile (user_id TEXT NOT NULL DEFAULT 'default', key TEXT NOT NULL, value TEXT NOT NULL, category TEXT,
        updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, confidence REAL DEFAULT 1.0, PRIMARY KEY (user_id, key));
      CREATE TABLE entities (id INTEGER PRIMARY KEY AUTOINCREMENT, user_id TEXT NOT NULL DEFAULT 'default', entity_type TEXT NOT NULL, name TEXT,
        attributes TEXT, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, status TEXT DEFAULT 'active');
      CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, user_id TEXT NOT NULL DEFAULT 'default', event_type TEXT NOT NULL,
        description TEXT NOT NULL, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, related_entity_ids TEXT, metadata TEXT, importance REAL DEFAULT 0.5);
      INSERT INTO user_profile VALUES ('ann', 'workplace', '字节跳动', 'basic_info', '2025-10-01 08:00:00', 0.9), ('bob', 'tea', 'green', 'strange', NULL, 1);
      INSERT INTO entities (id, user_id, entity_type, name, attributes) VALUES (5, 'ann', 'pet', '旺财', '{"breed":"金毛"}'), (7, 'ann', 'plant', NULL, NULL), (9, 'ann', 'person', '阿澄', 'broken');
      INSERT INTO events (user_id, event_type, description, timestamp, related_entity_ids, metadata, importance) VALUES
        ('ann', 'illness', '旺财生病', '2025-10-27T00:00:00Z', '[5, 7, 9]', '{"cost": 2000}', 0), ('ann', 'party', 'x', 'soon', '[99]', NULL, NULL);`;
    openDatabase({ file, migrations: [rows] }).close();
    expect([...(await readReferenceDatabase(file)).keys()]).toEqual(['ann', 'bob']);
    const options = { store, embed, clock: createClock().now, zone: 'UTC', maxEvents: 100 };
    expect(await importFrom(file, { ...options, userId: 'ann' })).toMatchObject({ users: { ann: {} } });
    expect(await ann.ask('query_profile')).toMatchObject({
      profile: [{ value: '字节跳动', category: 'basic_info', updated_at: '2025-10-01T08:00:00.000Z' }],
    });
    const { entities } = await ann.ask('list_entities');
    expect(entities).toMatchObject([
      { name: '旺财', attributes: { breed: '金毛' } },
      { entity_type: 'other', name: null },
      { name: '阿澄', attributes: {} },
    ]);
    for (const { id } of entities as { id: number }[]) {
      expect(await ann.ask('query_entity_timeline', { entity_id: id })).toMatchObject({
        events: [{ description: '旺财生病', importance: 0 }],
      });
    }
    expect(await store.users()).toEqual(['ann']);
  });

  it('is not one of this server, whose columns mean other things', async () => {
    await fill();
    await expect(readReferenceDatabase(join(folder, 'memory.db'))).rejects.toThrow(
      /memory\.db is a database of this server: --restore puts it back, --export from it makes a file for --import/,
    );
  });

  it('is not any other database', async () => {
    const file = join(folder, 'other.db');
    openDatabase({ file, migrations: ['CREATE TABLE x (y)'] }).close();
    await expect(readReferenceDatabase(file)).rejects.toThrow(/has no table user_profile/);
  });
});
