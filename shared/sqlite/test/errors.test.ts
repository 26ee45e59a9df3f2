import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import { openDatabase, withStorageErrors } from '../src/index.ts';
import { withFolder } from './temporary-folder.ts';

const migrations = ['CREATE TABLE notes (text TEXT NOT NULL)'];

function thrownBy(work: () => unknown): unknown {
  try {
    withStorageErrors(work);
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('withStorageErrors', () => {
  it('says no_space when the database may not grow, and nothing of the transaction is stored', () =>
    withFolder((folder) => {
      const database = openDatabase({ file: join(folder, 'x.sqlite'), migrations });
      database.exec("INSERT INTO notes VALUES ('first')");
      database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true })) + 2}`);
      const insert = database.prepare('INSERT INTO notes VALUES (hex(zeroblob(1000)))');
      const error = thrownBy(
        database.transaction(() => {
          for (let i = 0; i < 100; i += 1) insert.run();
        }),
      );
      expect(error).toBeInstanceOf(ContextloomError);
      expect(error).toMatchObject({ code: 'no_space', cause: { code: 'SQLITE_FULL' } });
      expect(database.prepare('SELECT text FROM notes').pluck().all()).toEqual(['first']);
      database.close();
    }));

  it('says unavailable when another connection keeps the write lock', () =>
    withFolder((folder) => {
      const file = join(folder, 'x.sqlite');
      const holder = openDatabase({ file, migrations });
      const waiter = openDatabase({ file, migrations, busyTimeoutMs: 20 });
      holder.exec('BEGIN IMMEDIATE');
      const error = thrownBy(() => waiter.exec("INSERT INTO notes VALUES ('late')"));
      expect(error).toMatchObject({ code: 'unavailable', cause: { code: 'SQLITE_BUSY' } });
      holder.exec('ROLLBACK');
      waiter.exec("INSERT INTO notes VALUES ('late')");
      holder.close();
      waiter.close();
    }));

  it('says unavailable when the database may not be written', () =>
    withFolder((folder) => {
      const database = openDatabase({ file: join(folder, 'x.sqlite'), migrations });
      database.pragma('query_only = ON');
      expect(thrownBy(() => database.exec("INSERT INTO notes VALUES ('x')"))).toMatchObject({
        code: 'unavailable',
        cause: { code: 'SQLITE_READONLY' },
      });
      database.close();
    }));

  it('says unavailable when a page is damaged, and shows nothing of the error underneath', () =>
    withFolder((folder) => {
      const file = join(folder, 'x.sqlite');
      const database = openDatabase({ file, migrations });
      database.exec("INSERT INTO notes VALUES ('x')");
      database.close();
      const handle = openSync(file, 'r+');
      writeSync(handle, Buffer.alloc(4_096, 0xff), 0, 4_096, 4_096);
      closeSync(handle);
      const damaged = openDatabase({ file, migrations });
      const error = thrownBy(() => damaged.prepare('SELECT * FROM notes').all());
      expect(error).toMatchObject({ code: 'unavailable', cause: { code: 'SQLITE_CORRUPT' } });
      expect(String(error)).not.toMatch(/malformed|SQLITE/);
      damaged.close();
    }));

  it('passes everything else on as it came', () => {
    const own = new ContextloomError('conflict', 'taken');
    expect(
      thrownBy(() => {
        throw own;
      }),
    ).toBe(own);
    const bug = new TypeError('x is not a function');
    expect(
      thrownBy(() => {
        throw bug;
      }),
    ).toBe(bug);
    const constraint = Object.assign(new Error('UNIQUE'), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
    expect(
      thrownBy(() => {
        throw constraint;
      }),
    ).toBe(constraint);
    expect(withStorageErrors(() => 5)).toBe(5);
  });

  it('knows the extended codes of a result code', () => {
    const full = Object.assign(new Error('disk'), { code: 'SQLITE_IOERR_WRITE' });
    expect(
      thrownBy(() => {
        throw full;
      }),
    ).toMatchObject({ code: 'unavailable', cause: full });
  });
});
