import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { backUpDatabase, findDamage, openDatabase, restoreDatabase } from '../src/index.ts';
import { makeFolder, removeFolder } from './temporary-folder.ts';

const migrations = ['CREATE TABLE notes (text TEXT NOT NULL) STRICT'];

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

const open = (name = 'notes.db') => openDatabase({ file: join(folder, name), migrations });
const add = (database: ReturnType<typeof open>, text: string) =>
  database.prepare<[string]>('INSERT INTO notes VALUES (?)').run(text);
const texts = (database: ReturnType<typeof open>) => database.prepare('SELECT text FROM notes').pluck().all();

/** A database with one note, its copy, and another note that came after. */
async function writeTwoStates(): Promise<{ file: string; copy: string }> {
  const [file, copy] = [join(folder, 'notes.db'), join(folder, 'copy.db')];
  const database = open();
  add(database, 'before');
  await backUpDatabase(database, copy);
  add(database, 'after');
  database.close();
  return { file, copy };
}

describe('a backup', () => {
  it('has what was written when it was made, the log of the database included', async () => {
    const { copy } = await writeTwoStates();
    const copied = open('copy.db');
    expect(texts(copied)).toEqual(['before']);
    expect(findDamage(copied)).toBeUndefined();
    copied.close();
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
    expect(existsSync(copy)).toBe(true);
  });

  it('says what is wrong when it cannot be made, and leaves nothing', async () => {
    const database = open();
    await expect(backUpDatabase(database, join(folder, 'missing', 'copy.db'))).rejects.toThrow();
    database.close();
    expect(readdirSync(folder)).toEqual(['notes.db']);
  });
});

describe('a restore', () => {
  it('puts the copy in the place of the database and keeps the old file, readable', async () => {
    const { file, copy } = await writeTwoStates();
    await restoreDatabase({ file, from: copy, kept: join(folder, 'old.db') });
    const [restored, old] = [open(), open('old.db')];
    expect([texts(restored), texts(old)]).toEqual([['before'], ['before', 'after']]);
    restored.close();
    old.close();
    expect(existsSync(copy)).toBe(true);
  });

  it('takes the place of a damaged file, and of one that is gone', async () => {
    const { file, copy } = await writeTwoStates();
    writeFileSync(file, 'no database at all, and long enough to be read as one: '.repeat(40));
    await restoreDatabase({ file, from: copy, kept: join(folder, 'old.db') });
    await restoreDatabase({ file: join(folder, 'new.db'), from: copy, kept: join(folder, 'older.db') });
    for (const name of ['notes.db', 'new.db']) {
      const restored = open(name);
      expect(texts(restored)).toEqual(['before']);
      restored.close();
    }
  });

  it('refuses while the database is in use, and a copy that is damaged, and changes nothing', async () => {
    const { file, copy } = await writeTwoStates();
    const user = open();
    const kept = join(folder, 'old.db');
    await expect(restoreDatabase({ file, from: copy, kept })).rejects.toMatchObject({ code: 'conflict' });
    expect(texts(user)).toEqual(['before', 'after']);
    user.close();
    const bytes = readFileSync(copy);
    writeFileSync(copy, Buffer.concat([bytes.subarray(0, 4_096), Buffer.alloc(bytes.length - 4_096, 7)]));
    await expect(restoreDatabase({ file, from: copy, kept })).rejects.toMatchObject({ code: 'invalid' });
    const after = open();
    expect(texts(after)).toEqual(['before', 'after']);
    after.close();
  });
});
