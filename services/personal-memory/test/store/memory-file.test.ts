import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLexicalEmbedder } from '@contextloom/llm';
import { openDatabase } from '@contextloom/sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toSearchable } from '../../src/domain/context.ts';
import { openMemoryFile } from '../../src/store/memory-file.ts';
import { migrations } from '../../src/store/schema.ts';
import { embed, makeFolder, openStore, removeFolder, storeOptions } from '../support/memory.ts';
import { storeEvent, toEvent } from './store.contract.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

const place = () => ({ file: join(folder, 'memory.db'), backupFolder: join(folder, 'backups') });

describe('a file of memories', () => {
  it('that is damaged is refused with the newest backup and the way back', async () => {
    const store = openStore(folder);
    await storeEvent(store, 'ann', toEvent('a walk'));
    const [copy] = await store.backUp({ folder: place().backupFolder, now: new Date(), minAgeMs: 0, keep: 2 });
    await store.close();
    const whole = readFileSync(place().file);
    writeFileSync(place().file, Buffer.concat([whole.subarray(0, 4_096), Buffer.alloc(whole.length - 4_096, 7)]));
    expect(() => openStore(folder)).toThrow(
      `does not have; end every server that uses it and start one with --restore ${copy}`,
    );
    writeFileSync(place().file, 'hello, I am no database, and I am long enough to be taken for one. '.repeat(20));
    expect(() => openStore(folder)).toThrow(/memory\.db is damaged.*--restore/);
  });

  it('that is damaged and was never copied is refused with what else there is to do', () => {
    writeFileSync(place().file, 'hello, I am no database, and I am long enough to be taken for one. '.repeat(20));
    expect(() => openStore(folder)).toThrow(/there is no backup of it in .*backups: move it away/);
  });

  it('of a newer program is refused and left as it is', () => {
    openDatabase({ file: place().file, migrations: [...migrations, 'CREATE TABLE later (x)'] }).close();
    const before = readFileSync(place().file);
    expect(() => openStore(folder)).toThrow(/schema version \d+, and this program knows versions up to/);
    expect(readFileSync(place().file).equals(before)).toBe(true);
  });

  it('that an earlier version indexed is indexed again once by servers that open it at once', async () => {
    const store = openStore(folder);
    for (let at = 0; at < 200; at += 1) await storeEvent(store, 'ann', toEvent(`喝茶 number${at}`));
    await store.close();
    let derived = 0;
    const open = () =>
      openMemoryFile({
        ...storeOptions,
        ...place(),
        fingerprint: 'newer',
        toSearchable: async (words) => {
          derived += 1;
          return storeOptions.toSearchable(words);
        },
      });
    const [left, right] = [open(), open()];
    const text = await toSearchable('number7', { embed });
    const find = async (file: typeof left) => (await file.of('ann').searchEvents({ text, limit: 1 }, {})).hits;
    for (const hits of await Promise.all([find(left), find(right)])) expect(hits).toHaveLength(1);
    expect(derived).toBe(200);
    await Promise.all([left.close(), right.close()]);
  });

  it('that another embedder indexed is indexed again at the first use, and all is found', async () => {
    const store = openStore(folder);
    await storeEvent(store, 'ann', toEvent('喝茶 with Mei'));
    await store.close();
    const small = createLexicalEmbedder({ dimensions: 32 });
    const embedSmall = async (text: string) => (await small.embed([text]))[0];
    const opened = openMemoryFile({
      ...storeOptions,
      ...place(),
      dimensions: 32,
      fingerprint: 'small',
      toSearchable: (text) => toSearchable(text, { embed: embedSmall }),
    });
    const text = await toSearchable('喝茶', { embed: embedSmall });
    expect((await opened.of('ann').searchEvents({ text, limit: 5 }, {})).hits).toHaveLength(1);
    await opened.close();
  });

  it('stores an event while the embedder is out of reach, and finds it by its words', async () => {
    const store = openStore(folder);
    const without = { ...(await toSearchable('a walk on the pier', { embed })), vector: undefined };
    await store.use('ann', (memory) =>
      memory.change((writer) => writer.addEvent(toEvent('a walk on the pier'), 0, without)),
    );
    const text = await toSearchable('pier', { embed });
    expect((await store.use('ann', (memory) => memory.searchEvents({ text, limit: 5 }, {}))).hits).toHaveLength(1);
    await store.close();
    expect(existsSync(place().file)).toBe(true);
  });
});
