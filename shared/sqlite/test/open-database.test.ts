import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import { openDatabase, toBaseline } from '../src/index.ts';
import { withFolder } from './temporary-folder.ts';

const notes = 'CREATE TABLE notes (text TEXT)';

function refusal(open: () => unknown): unknown {
  try {
    open();
  } catch (error) {
    return error;
  }
  throw new Error('the database was opened');
}

describe('openDatabase', () => {
  it('makes the folder and opens with the pragmas that make a commit durable', () =>
    withFolder((folder) => {
      const database = openDatabase({ file: join(folder, 'a', 'b', 'c.sqlite'), migrations: [notes] });
      const pragma = (name: string) => database.pragma(name, { simple: true });
      expect(pragma('journal_mode')).toBe('wal');
      expect(pragma('synchronous')).toBe(2);
      expect(pragma('foreign_keys')).toBe(1);
      expect(pragma('busy_timeout')).toBe(5_000);
      expect(pragma('user_version')).toBe(1);
      database.close();
    }));

  it('runs each migration once, in order, over the data that is there', () =>
    withFolder((folder) => {
      const file = join(folder, 'x.sqlite');
      const first = openDatabase({ file, migrations: [notes] });
      first.exec("INSERT INTO notes VALUES ('kept')");
      first.close();
      const migrations = [notes, 'ALTER TABLE notes ADD COLUMN mood TEXT', "UPDATE notes SET mood = 'calm'"];
      const second = openDatabase({ file, migrations });
      expect(second.prepare('SELECT * FROM notes').all()).toEqual([{ text: 'kept', mood: 'calm' }]);
      second.close();
    }));

  it('refuses a file of 0 bytes by name, and leaves it and its log as they are', () =>
    withFolder((folder) => {
      const file = join(folder, 'x.sqlite');
      writeFileSync(file, '');
      writeFileSync(`${file}-wal`, 'what was written last');
      const error = refusal(() => openDatabase({ file, migrations: [notes], busyTimeoutMs: 20 }));
      expect(error).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(`${file} is empty (0 bytes)`),
      });
      expect([readFileSync(file, 'utf8'), readFileSync(`${file}-wal`, 'utf8')]).toEqual(['', 'what was written last']);
    }));

  it('leaves the schema as it was when a migration fails', () =>
    withFolder((folder) => {
      const file = join(folder, 'x.sqlite');
      openDatabase({ file, migrations: [notes] }).close();
      expect(() =>
        openDatabase({ file, migrations: [notes, 'CREATE TABLE other (x); CREATE TABLE notes (x)'] }),
      ).toThrow();
      const database = openDatabase({ file, migrations: [notes] });
      expect(database.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['notes']);
      database.close();
    }));

  it('refuses the schema of a newer program, and names both versions', () =>
    withFolder((folder) => {
      const file = join(folder, 'x.sqlite');
      openDatabase({ file, migrations: [notes, 'SELECT 1', 'SELECT 1'] }).close();
      const error = refusal(() => openDatabase({ file, migrations: [notes] }));
      expect(error).toBeInstanceOf(ContextloomError);
      expect(error).toMatchObject({ code: 'unavailable' });
      expect(String(error)).toMatch(/schema version 3.*versions up to 1/);
      openDatabase({ file, migrations: [notes, 'SELECT 1', 'SELECT 1'] }).close();
    }));

  it('makes a new file by the oldest schema that it still opens, and refuses what is older', () =>
    withFolder((folder) => {
      const file = join(folder, 'x.sqlite');
      openDatabase({ file, migrations: [notes, notes.replaceAll('notes', 'more_notes')] }).close();
      const since3 = [...toBaseline(3, notes), 'CREATE TABLE tags (tag TEXT)'];
      expect(refusal(() => openDatabase({ file, migrations: since3 }))).toMatchObject({
        code: 'unavailable',
        message: `${file} has schema version 2, and this program opens versions from 3: make its data again`,
      });
      const fresh = openDatabase({ file: join(folder, 'fresh.sqlite'), migrations: since3 });
      expect(fresh.pragma('user_version', { simple: true })).toBe(4);
      expect(fresh.prepare("SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table'").pluck().get()).toBe(
        'notes,tags',
      );
      fresh.close();
    }));

  it('says which folder cannot be made', () =>
    withFolder((folder) => {
      writeFileSync(join(folder, 'file'), '');
      const error = refusal(() => openDatabase({ file: join(folder, 'file', 'sub', 'x.sqlite'), migrations: [notes] }));
      expect(error).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(join(folder, 'file', 'sub')),
      });
    }));

  it('says that the store cannot be opened when its folder is a file', () =>
    withFolder((folder) => {
      writeFileSync(join(folder, 'file'), '');
      const error = refusal(() => openDatabase({ file: join(folder, 'file', 'x.sqlite'), migrations: [notes] }));
      expect(error).toBeInstanceOf(ContextloomError);
      expect(error).toMatchObject({
        code: 'unavailable',
        // Node 24 looks for the file without an error, and cannot make it.
        message: expect.stringMatching(/cannot be (?:opened|made): check its folder and the rights on it$/),
        cause: { code: 'ENOTDIR' },
      });
    }));

  it('gives up where a file system makes no folders (/proc answers that the parent is missing)', () => {
    const error = refusal(() => openDatabase({ file: '/proc/contextloom/x.sqlite', migrations: [] }));
    expect(error).toMatchObject({ code: 'unavailable', message: 'the folder /proc/contextloom cannot be made' });
  });

  it('refuses a file that is no database, and leaves it alone', () =>
    withFolder((folder) => {
      const file = join(folder, 'x.sqlite');
      writeFileSync(file, 'these are not the pages of a database, but a letter to a friend');
      expect(refusal(() => openDatabase({ file, migrations: [notes] }))).toMatchObject({ code: 'unavailable' });
      expect(existsSync(`${file}-wal`)).toBe(false);
    }));
});
