import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from '../src/database/connect.ts';
import { createPrepare, type Database } from '../src/index.ts';

let database: Database;
beforeEach(() => {
  database = connect(':memory:', {});
});
afterEach(() => {
  database.close();
});

describe('createPrepare', () => {
  it('prepares a text once, and the text used longest ago again after many others', () => {
    const prepare = createPrepare(database);
    const [first, second] = [prepare<unknown>('SELECT 1'), prepare<unknown>('SELECT 2')];
    for (let at = 0; at < 62; at += 1) prepare(`SELECT 'number ${at}'`);
    expect(prepare('SELECT 1')).toBe(first);
    prepare("SELECT 'one more'");
    expect(prepare('SELECT 1')).toBe(first);
    expect(prepare('SELECT 2')).not.toBe(second);
  });

  it('keeps no very long text', () => {
    const prepare = createPrepare(database);
    const long = `SELECT '${'x'.repeat(5_000)}'`;
    expect(prepare(long)).not.toBe(prepare(long));
  });

  it('runs what it kept over a table that another has taken the place of', () => {
    const prepare = createPrepare(database);
    const count = () => prepare<number>('SELECT count(*) FROM things').pluck().get();
    database.exec('CREATE TABLE things (name)');
    expect(count()).toBe(0);
    database.exec("DROP TABLE things; CREATE TABLE things (name, size); INSERT INTO things VALUES ('tea', 1)");
    expect(count()).toBe(1);
  });
});
