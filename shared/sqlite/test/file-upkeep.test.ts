import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openDatabase, toFileUpkeep } from '../src/index.ts';

const migrations = ['CREATE TABLE notes (id INTEGER) STRICT', 'CREATE TABLE words (id INTEGER) STRICT'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextloom-upkeep-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);

it('reads a version that is still in the log of a program that has the file open', async () => {
  const file = at('one.db');
  const upkeep = toFileUpkeep({ store: 'notes', where: file, migrations });
  expect(await upkeep.find()).toBe(0);
  openDatabase({ file, migrations: migrations.slice(0, 1) }).close();
  expect(await upkeep.find()).toBe(1);
  const open = openDatabase({ file, migrations });
  expect(await upkeep.find()).toBe(2);
  open.close();
});

it('leaves no file beside one that it looks at, and makes none', async () => {
  const file = at('one.db');
  await toFileUpkeep({ store: 'notes', where: file, migrations }).migrate();
  expect(readdirSync(folder)).toEqual([]);
  openDatabase({ file, migrations }).close();
  const before = readdirSync(folder);
  await toFileUpkeep({ store: 'notes', where: file, migrations }).find();
  expect(readdirSync(folder)).toEqual(before);
});

it('tells the oldest of several files, or a newer one, and brings all of them up to date', async () => {
  const files = ['a.db', 'b.db'].map(at);
  const list = () => files;
  openDatabase({ file: at('a.db'), migrations }).close();
  openDatabase({ file: at('b.db'), migrations: migrations.slice(0, 1) }).close();
  const upkeep = toFileUpkeep({ store: 'notes', where: folder, list, migrations });
  expect(await upkeep.find()).toBe(1);
  await upkeep.migrate();
  expect(await upkeep.find()).toBe(2);
  expect(await toFileUpkeep({ store: 'notes', where: folder, list, migrations: migrations.slice(0, 1) }).find()).toBe(
    2,
  );
});
