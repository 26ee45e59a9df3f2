import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { openDatabase } from '@contextloom/sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { restore } from '../../src/jobs.ts';
import { migrations } from '../../src/store/schema.ts';
import { connect, makeFolder, openStore, removeFolder } from '../support/memory.ts';
import { storeEvent, toEvent } from './store.contract.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = makeFolder();
  file = join(folder, 'memory.db');
});
afterEach(() => removeFolder(folder));

/** What a program without numbers of a user's own stored: ids run through all users. */
const before = `
  INSERT INTO user_profile (user_id, key, value, tags, confidence, updated_at) VALUES ('ann', 'tea', 'green', '[]', 1, 5);
  INSERT INTO profile_history VALUES (7, 'ann', 'tea', 'green', NULL, '[]', 1, 'set', 5), (9, 'eve', 'tea', 'black', NULL, '[]', 1, 'set', 5);
  INSERT INTO entities VALUES (3, 'ann', 'pet', '旺财', '{}', '[]', 'active', 1, 1), (8, 'eve', 'pet', 'Rex', '{}', '[]', 'active', 1, 1);
  INSERT INTO entity_aliases VALUES (3, 'ann', '财财');
  INSERT INTO entities VALUES (5, 'ann', 'person', 'Mei', '{}', '[]', 'active', 1, 1);
  INSERT INTO entity_relations VALUES (4, 'ann', 5, 3, 'owns', '{}', 1);
  INSERT INTO events (id, user_id, event_type, description, timestamp, metadata, tags, importance, parent_event_id, created_at)
    VALUES (11, 'ann', 'illness', '看病', 1000, '{}', '[]', 0.5, NULL, 1), (12, 'eve', 'other', 'x', 1000, '{}', '[]', 0.5, NULL, 1),
    (13, 'ann', 'other', '复诊', 2000, '{}', '[]', 0.5, 11, 1);
  INSERT INTO event_entities VALUES (11, 3, 0);`;

describe('a file of the version before', () => {
  it('keeps its ids, and what comes new has numbers of its user alone', async () => {
    openDatabase({ file, migrations: [migrations[0] ?? ''] })
      .exec(before)
      .close();
    const store = openStore(folder);
    const [ann, eve] = [await connect(store, { userId: 'ann' }), await connect(store, { userId: 'eve' })];
    expect(await ann.ask('query_entity_timeline', { entity_id: 3 })).toMatchObject({
      events: [{ id: 11, description: '看病', related_entity_ids: [3] }],
    });
    expect(await ann.ask('search_events')).toMatchObject({ events: [{ id: 13, parent_event_id: 11 }, { id: 11 }] });
    expect(await ann.ask('query_entity_relations', { entity_id: 3 })).toMatchObject({
      relations: [{ id: 4, entity_id_1: 5, entity_id_2: 3 }],
    });
    expect(await ann.ask('query_profile_history', { key: 'tea' })).toMatchObject({ versions: [{ version: 7 }] });
    expect(await ann.ask('resolve_entity', { text: '财财' })).toMatchObject({ candidates: [{ entity_id: 3 }] });
    expect(await ann.ask('search_events', { query: '财财' })).toMatchObject({ events: [{ id: 11 }] });
    const event = { event_type: 'other', description: 'new' };
    for (const [client, entity, entityId, eventId] of [
      [ann, 5, 6, 14],
      [eve, 8, 9, 13],
    ] as const) {
      expect(await client.ask('create_entity', { entity_type: 'pet' })).toEqual({ entity_id: entityId });
      const related_entity_ids = [entity, entityId];
      expect(await client.ask('add_event', { ...event, related_entity_ids })).toEqual({ event_id: eventId });
      expect(await client.ask('query_entity_timeline', { entity_id: entityId })).toMatchObject({
        events: [{ id: eventId, related_entity_ids }],
      });
    }
    expect(await ann.ask('delete_event', { event_id: 13 })).toMatchObject({ deleted: true });
    expect(await eve.ask('search_events')).toMatchObject({ events: [{ id: 13 }, { id: 12 }] });
    await Promise.all([ann.close(), eve.close()]);
    await store.close();
  });
});

describe('a file that is no memory', () => {
  it('of 0 bytes is refused with the newest backup, and stays as it is', async () => {
    const store = openStore(folder);
    await storeEvent(store, 'ann', toEvent('a walk'));
    const plan = { folder: join(folder, 'backups'), now: new Date(), minAgeMs: 0, keep: 2 };
    const [copy] = await store.backUp(plan);
    await store.close();
    writeFileSync(file, '');
    // Once: it waits first, since another process may be making the file.
    const parts = [`${file} is empty (0 bytes); end every server`, `--restore ${copy}`];
    expect(() => openStore(folder)).toThrow(
      new RegExp(parts.map((part) => part.replaceAll(/[()/.]/g, '\\$&')).join('.*'), 's'),
    );
    expect(statSync(file).size).toBe(0);
  });

  it('of the reference program is refused with the way to import it, and stays as it is', () => {
    const tables = `CREATE TABLE user_profile (user_id TEXT, key TEXT, value TEXT);
      CREATE TABLE entities (id INTEGER PRIMARY KEY, user_id TEXT); CREATE TABLE events (id INTEGER PRIMARY KEY, user_id TEXT);`;
    const reference = openDatabase({ file, migrations: [tables] });
    reference.pragma('user_version = 0'); // It has no versions.
    reference.pragma('journal_mode = DELETE');
    reference.close();
    const bytes = readFileSync(file);
    const way = `${file} is a database of the reference program: start with another --db-path and --import ${file}`;
    expect(() => openStore(folder)).toThrow(way);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('is not put back by a restore, which names what is wrong and changes nothing', async () => {
    const store = openStore(folder);
    await storeEvent(store, 'ann', toEvent('a walk'));
    await store.close();
    const bytes = readFileSync(file);
    const place = { file, usersFolder: join(folder, 'users'), backupFolder: folder, cipherKey: undefined };
    const tries = { 'empty.db': /empty\.db is empty \(0 bytes\)/, 'memory.db-wal': /is the log of a database/ };
    for (const [name, message] of Object.entries(tries)) {
      writeFileSync(join(folder, name), '');
      await expect(restore(join(folder, name), place, new Date())).rejects.toThrow(message);
    }
    const other = join(folder, 'other.db');
    openDatabase({ file: other, migrations: ['CREATE TABLE x (y)'] }).close();
    await expect(restore(other, place, new Date())).rejects.toThrow(/other\.db has no table user_profile/);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
});

(process.platform === 'win32' ? it.skip : it)('files and backups can be read by their owner alone', async () => {
  const store = openStore(folder);
  await storeEvent(store, 'ann', toEvent('a walk'));
  const [copy = ''] = await store.backUp({ folder: join(folder, 'backups'), now: new Date(), minAgeMs: 0, keep: 2 });
  for (const one of [file, `${file}-wal`, copy]) expect(statSync(one).mode & 0o777).toBe(0o600);
  await store.close();
});
