import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTransactions, type Database, openDatabase } from '../src/index.ts';
import { makeFolder, removeFolder } from './temporary-folder.ts';

let folder: string;
const opened: Database[] = [];
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => {
  for (const database of opened.splice(0)) database.close();
  removeFolder(folder);
});

function open(options?: Parameters<typeof createTransactions>[1]) {
  const database = openDatabase({ file: join(folder, 'a.sqlite'), migrations: ['CREATE TABLE numbers (n INTEGER)'] });
  opened.push(database);
  const insert = database.prepare<[number]>('INSERT INTO numbers VALUES (?)');
  const read = database.prepare<[], number>('SELECT n FROM numbers ORDER BY rowid').pluck();
  return { database, insert, read: () => read.all(), transactions: createTransactions(database, options) };
}

describe('transactions in slices', () => {
  it('let the event loop turn, and are seen by others whole or not at all', async () => {
    const [writer, other] = [open({ sliceMs: 0 }), open()];
    const seen: number[] = [];
    const looking = setInterval(() => seen.push(other.read().length), 0);
    await writer.transactions.runInSlices(function* () {
      // As long as it takes until the other connection has looked often enough.
      for (let n = 0; n < 50 || seen.length < 20; n += 1) yield void writer.insert.run(n);
    });
    clearInterval(looking);
    const all = other.read().length;
    expect(all).toBeGreaterThanOrEqual(50);
    expect(seen.every((count) => count === 0 || count === all)).toBe(true);
  });

  it('write nothing when a step throws, and do not stop the next', async () => {
    const { transactions, insert, read } = open({ sliceMs: 0 });
    const failing = transactions.runInSlices(function* () {
      yield void insert.run(1);
      throw new Error('no');
    });
    const next = transactions.run(() => insert.run(2).changes);
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe(1);
    expect(read()).toEqual([2]);
  });

  it('run one after the other, in the order in which they were asked for', async () => {
    const { transactions, insert, read } = open({ sliceMs: 0 });
    const add = (from: number) =>
      transactions.runInSlices(function* () {
        for (let n = from; n < from + 3; n += 1) yield void insert.run(n);
      });
    await Promise.all([add(0), add(10), add(20)]);
    expect(read()).toEqual([0, 1, 2, 10, 11, 12, 20, 21, 22]);
  });

  it('wait for another connection of the same process without blocking it', async () => {
    const [one, other] = [open({ sliceMs: 0 }), open()];
    const long = one.transactions.runInSlices(function* () {
      for (let n = 0; n < 30; n += 1) yield void one.insert.run(n);
    });
    await Promise.all([long, other.transactions.run(() => other.insert.run(99))]);
    expect(one.read()).toHaveLength(31);
  });

  it('give up when another connection writes for too long', async () => {
    const [one, other] = [open(), open({ busyTimeoutMs: 20 })];
    one.database.exec('BEGIN IMMEDIATE');
    await expect(other.transactions.run(() => 1)).rejects.toMatchObject({ code: 'unavailable' });
    one.database.exec('ROLLBACK');
    expect(await other.transactions.run(() => 1)).toBe(1);
  });
});

describe('short work that is requested at once', () => {
  it('shares transactions, is done in order, and takes back its own changes alone', async () => {
    const { database, insert, read } = open();
    let commits = 0;
    const counted = new Proxy(database, {
      get: (target, key) =>
        key === 'exec'
          ? (sql: string) => {
              commits += sql === 'COMMIT' ? 1 : 0;
              return target.exec(sql);
            }
          : (Reflect.get(target, key, target).bind?.(target) ?? Reflect.get(target, key, target)),
    });
    const transactions = createTransactions(counted);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        transactions.run(() => {
          insert.run(n);
          if (n === 7) throw new Error('not seven');
          return n;
        }),
      ),
    );
    expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual(
      Array.from({ length: 50 }, (_, n) => (n === 7 ? 'not seven' : n)),
    );
    expect(read()).toEqual(Array.from({ length: 50 }, (_, n) => n).filter((n) => n !== 7));
    expect(commits).toBe(1);
  });

  it('keeps its place among longer transactions', async () => {
    const { transactions, insert, read } = open({ sliceMs: 0 });
    const long = (n: number) =>
      transactions.runInSlices(function* () {
        yield void insert.run(n);
      });
    await Promise.all([transactions.run(() => insert.run(1)), long(2), transactions.run(() => insert.run(3)), long(4)]);
    expect(read()).toEqual([1, 2, 3, 4]);
  });

  it('is refused once the transactions are closed', async () => {
    const { transactions, insert, read } = open();
    const last = transactions.run(() => insert.run(1).changes);
    const closed = transactions.close();
    await expect(transactions.run(() => insert.run(2))).rejects.toMatchObject({ code: 'unavailable' });
    await closed;
    expect([await last, read()]).toEqual([1, [1]]);
  });
});
