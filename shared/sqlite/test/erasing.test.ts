import { join } from 'node:path';
import { findBytes } from '@contextloom/testing/find-bytes';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createErasing,
  createTransactions,
  type Database,
  eraseInThread,
  openDatabase,
  openReadOnly,
} from '../src/index.ts';
import { makeFolder, removeFolder } from './temporary-folder.ts';

const SECRET = 'Zanzibar harbour, third pier';
let folder: string;
let database: Database;
beforeEach(() => {
  folder = makeFolder();
  const migrations = ['CREATE TABLE notes (id INTEGER PRIMARY KEY, owner TEXT, text TEXT)'];
  database = openDatabase({ file: join(folder, 'notes.sqlite'), migrations });
  const add = database.prepare('INSERT INTO notes (owner, text) VALUES (?, ?)');
  for (let n = 0; n < 300; n += 1) {
    add.run('ann', `${SECRET} ${'x'.repeat(n * 7)}`);
    add.run('bob', `the walk of bob ${n}`);
  }
  database.prepare("UPDATE notes SET text = 'shorter' WHERE owner = 'ann' AND id % 3 = 0").run();
});
afterEach(() => {
  database.close();
  removeFolder(folder);
});
const erase = () => eraseInThread({ file: database.name, busyTimeoutMs: 50 });

describe('erasing what was deleted from a database', () => {
  it('leaves no byte of it in the file, its free pages and its log, and everything else', async () => {
    database.prepare("DELETE FROM notes WHERE owner = 'ann'").run();
    expect(findBytes(folder, [SECRET])).not.toEqual([]);
    expect(await erase()).toBe('nothing');
    expect(findBytes(folder, [SECRET])).toEqual([]);
    expect(database.prepare("SELECT count(*) FROM notes WHERE owner = 'bob'").pluck().get()).toBe(300);
  });

  it('waits for transactions of the same connection, and those requested meanwhile wait for it', async () => {
    const transactions = createTransactions(database);
    const order: string[] = [];
    const add = (text: string) =>
      transactions.run(() => {
        database.prepare('INSERT INTO notes (owner, text) VALUES (?, ?)').run('bob', text);
        order.push(text);
      });
    await Promise.all([add('before'), transactions.runBetween(async () => order.push(await erase())), add('after')]);
    expect(order).toEqual(['before', 'nothing', 'after']);
    await transactions.close();
    await expect(transactions.runBetween(erase)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('says that the log has it while another connection reads', async () => {
    const reader = openReadOnly(database.name);
    const rows = reader.prepare('SELECT * FROM notes').iterate();
    rows.next();
    database.prepare("DELETE FROM notes WHERE owner = 'ann'").run();
    expect(await erase()).toBe('log');
    rows.return?.();
    reader.close();
    expect(await erase()).toBe('nothing');
    expect(findBytes(folder, [SECRET])).toEqual([]);
  });

  it('waits for a write of another process, and says that the store is busy when it takes too long', async () => {
    const other = openDatabase({ file: database.name, migrations: ['kept as it is'] });
    other.exec('BEGIN IMMEDIATE');
    await expect(erase()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('busy') });
    other.exec('ROLLBACK');
    other.close();
  });
});

describe('what is noted as deleted for good', () => {
  it('is erased once, also by another process, and again where something is deleted meanwhile', async () => {
    const transactions = createTransactions(database);
    const erasing = createErasing({ database, transactions });
    expect(await erasing.eraseNoted()).toBe(false);
    const forget = () =>
      transactions.run(() => {
        database.prepare("DELETE FROM notes WHERE owner = 'ann'").run();
        erasing.note();
      });
    await forget();
    expect(findBytes(folder, [SECRET])).not.toEqual([]);
    const [isErased] = await Promise.all([erasing.eraseNoted(), forget()]);
    expect(isErased).toBe(true);
    expect(findBytes(folder, [SECRET])).toEqual([]);
    await forget();
    const other = openDatabase({ file: database.name, migrations: [undefined] });
    const others = createTransactions(other);
    expect(await createErasing({ database: other, transactions: others }).eraseNoted()).toBe(true);
    expect(await erasing.eraseNoted()).toBe(false);
    await others.close();
    other.close();
    await transactions.close();
  });

  it('is noted no more where its transaction fails', async () => {
    const transactions = createTransactions(database);
    const erasing = createErasing({ database, transactions });
    const failing = transactions.run(() => {
      erasing.note();
      throw new Error('cut off');
    });
    await expect(failing).rejects.toThrow('cut off');
    expect(await erasing.eraseNoted()).toBe(false);
    await transactions.close();
  });
});
