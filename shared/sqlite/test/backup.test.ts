import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
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

describe('a restore refuses by name', () => {
  /** The error of a restore, and whether the database is still as it was. */
  const tryToRestore = async (from: string) => {
    const { file } = await writeTwoStates();
    const restoring = restoreDatabase({ file, from, kept: join(folder, 'old.db'), tables: ['notes'] });
    const message = await restoring.then(
      () => 'restored',
      (error: Error) => error.message,
    );
    const after = open();
    const kept = texts(after);
    after.close();
    return { message, kept, leftovers: readdirSync(folder).filter((name) => /restored|old/.test(name)) };
  };
  const unchanged = { kept: ['before', 'after'], leftovers: [] };

  it('a file of 0 bytes', async () => {
    const from = join(folder, 'empty.db');
    writeFileSync(from, '');
    expect(await tryToRestore(from)).toEqual({
      ...unchanged,
      message: `${from} is empty (0 bytes) and no backup; nothing was changed`,
    });
  });

  it.each(['-wal', '-shm', '-journal'])('the %s of a backup, and names the backup', async (suffix) => {
    const from = join(folder, `copy.db${suffix}`);
    writeFileSync(from, '');
    const message = expect.stringMatching(
      /is the log of a database and no backup: name .*copy\.db; nothing was changed/,
    );
    expect(await tryToRestore(from)).toEqual({ ...unchanged, message });
  });

  it('the database of another program, and one without tables', async () => {
    const [other, bare] = [join(folder, 'other.db'), join(folder, 'bare.db')];
    openDatabase({ file: other, migrations: ['CREATE TABLE x (y)'] }).close();
    openDatabase({ file: bare, migrations: [] }).close();
    expect(await tryToRestore(other)).toMatchObject({ message: expect.stringContaining('has no table notes') });
    expect(await tryToRestore(bare)).toMatchObject({ message: expect.stringContaining('has no table notes') });
  });
});

(process.platform === 'win32' ? describe.skip : describe)('the owner alone can read', () => {
  const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);

  it('a new database, its logs, and its copies', async () => {
    const database = open();
    add(database, 'secret');
    await backUpDatabase(database, join(folder, 'copy.db'));
    expect(['notes.db', 'notes.db-wal', 'notes.db-shm', 'copy.db'].map(modeOf)).toEqual(['600', '600', '600', '600']);
    database.close();
    expect(readdirSync(folder).sort()).toEqual(['copy.db', 'notes.db']);
  });

  it('the folders that are made for a database', () => {
    open(join('memories', 'of-ann', 'notes.db')).close();
    expect(['memories', join('memories', 'of-ann')].map(modeOf)).toEqual(['700', '700']);
  });

  it('a database that everybody could read, from when it is opened again; what a group was let in to stays', () => {
    for (const [mode, wanted] of [
      [0o644, '600'],
      [0o640, '640'],
    ] as const) {
      open().close();
      chmodSync(join(folder, 'notes.db'), mode);
      open().close();
      expect(modeOf('notes.db')).toBe(wanted);
    }
  });
});
