import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tokenize } from '@contextloom/retrieval';
import { openDatabase, openIndexedDatabase } from '@contextloom/sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { migrations } from '../src/store/sqlite/schema.ts';
import { createSqliteStore, openSqliteStore } from '../src/store/sqlite/store.ts';
import { makeFolder } from './support/service.ts';
import { derive, embedder, everyone, hitIds, toDocument, toWrites } from './support/stores.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await makeFolder();
  file = join(folder, 'kb.sqlite');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const other = { provider: 'openai', model: 'text-embedding-3-small', dimensions: embedder.identity.dimensions };

const put = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };

async function toQuery(text: string) {
  const [vector = new Float32Array()] = await embedder.embed([text]);
  return { tokens: tokenize(text), vector };
}

async function fill(): Promise<void> {
  const store = await openSqliteStore({ file, embedder: embedder.identity });
  await store.put(await toWrites(toDocument('a', 'green tea'), toDocument('b', '绿茶')), put);
  await store.close();
}

describe('the embedded store', () => {
  it('refuses another embedder than its own, naming both and the command that fills it again', async () => {
    await fill();
    await expect(openSqliteStore({ file, embedder: other })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/lexical .* openai text-embedding-3-small /),
      cause: expect.objectContaining({ message: expect.stringContaining('dist/reembed.js') }),
    });
  });

  it('keeps its documents readable for a rebuild, and mixes no vectors before it', async () => {
    await fill();
    const store = await openSqliteStore({ file, embedder: other, onMismatch: 'rebuild' });
    expect(await store.read(['a', 'b'], everyone)).toHaveLength(2);
    const query = { tokens: { terms: ['tea'], unigrams: [] }, vector: new Float32Array(other.dimensions) };
    await expect(store.find(query, everyone, 5)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.rebuild(derive)).toEqual({ kind: 'complete', documents: 2 });
    expect((await store.find(query, everyone, 5)).byWords.map(({ candidate }) => candidate.id)).toEqual(['a']);
    await store.close();
  });

  it('is as it was for its own embedder when a rebuild by another one was cut off', async () => {
    await fill();
    const rebuild = await openSqliteStore({ file, embedder: other, onMismatch: 'rebuild' });
    const cutOff = () => Promise.reject(new Error('the power is gone'));
    await expect(rebuild.rebuild(cutOff)).rejects.toThrow('the power is gone');
    await rebuild.close();
    await expect(openSqliteStore({ file, embedder: other })).rejects.toMatchObject({ code: 'unavailable' });
    const store = await openSqliteStore({ file, embedder: embedder.identity });
    expect(hitIds((await store.find(await toQuery('green tea'), everyone, 5)).byVector)).toEqual(['a', 'b']);
    await store.close();
  });

  it('finds all by its own words while a rebuild by another version is half done', async () => {
    const store = await openSqliteStore({ file, embedder: embedder.identity });
    const documents = Array.from({ length: 200 }, (_, at) => toDocument(`d-${at}`, `tea number ${at}`));
    await store.put(await toWrites(...documents), put);
    const newer = await openSqliteStore({
      file,
      embedder: embedder.identity,
      indexVersion: 99,
      onMismatch: 'rebuild',
    });
    const interrupted = new AbortController();
    const outcome = await newer.rebuild(
      async (batch) => {
        interrupted.abort();
        return (await derive(batch)).map((one) => ({
          ...one,
          attributes: new Map(),
          text: 'other',
        }));
      },
      { signal: interrupted.signal },
    );
    expect(outcome).toEqual({ kind: 'interrupted', documents: 64 });
    expect((await store.find(await toQuery('tea'), everyone, 300)).byWords).toHaveLength(200);
    expect(await store.indexState()).toBe('own');
    await Promise.all([store.close(), newer.close()]);
  });

  it('stops to serve once another process has filled it with another embedder', async () => {
    await fill();
    const before = await openSqliteStore({ file, embedder: embedder.identity });
    const rebuild = await openSqliteStore({ file, embedder: other, onMismatch: 'rebuild' });
    await rebuild.rebuild(derive);
    const refusal = { code: 'unavailable', message: expect.stringContaining('openai') };
    await expect(before.find(await toQuery('tea'), everyone, 5)).rejects.toMatchObject(refusal);
    await expect(before.put(await toWrites(toDocument('c')), put)).rejects.toMatchObject(refusal);
    await rebuild.put(await toWrites(toDocument('c')), put);
    await Promise.all([before.close(), rebuild.close()]);
  });

  it('lets the later of two rebuildings go on, and ends the earlier one', async () => {
    await fill();
    const store = await openSqliteStore({ file, embedder: embedder.identity });
    const endings = await Promise.allSettled([store.rebuild(derive), store.rebuild(derive)]);
    expect(endings).toMatchObject([
      { status: 'rejected', reason: { code: 'conflict' } },
      { status: 'fulfilled', value: { documents: 2 } },
    ]);
    await store.close();
  });

  it.each([
    ['in an older way', embedder.identity],
    ['by an older lexical embedder, which no setting brings back', { ...embedder.identity, model: 'lexical-v0' }],
  ])('asks for a rebuild when its index was derived %s', async (_, identity) => {
    const older = await openSqliteStore({ file, embedder: identity, indexVersion: 0 });
    await older.put(await toWrites(toDocument('a', 'green tea')), put);
    await older.close();
    await expect(openSqliteStore({ file, embedder: embedder.identity })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('index version 0'),
      cause: expect.objectContaining({ message: expect.stringContaining('--rebuild-index') }),
    });
    const store = await openSqliteStore({ file, embedder: embedder.identity, onMismatch: 'rebuild' });
    await store.rebuild(derive);
    await store.close();
    await (await openSqliteStore({ file, embedder: embedder.identity })).close();
  });

  it('belongs to whichever embedder comes next while it is empty', async () => {
    await (await openSqliteStore({ file, embedder: embedder.identity })).close();
    await (await openSqliteStore({ file, embedder: other })).close();
  });

  it('says no_space on a full disk, loses nothing that it acknowledged, and goes on when there is space again', async () => {
    const indexed = openIndexedDatabase({ file, migrations });
    const { database } = indexed;
    const store = await createSqliteStore(indexed, { embedder: embedder.identity });
    await store.put(await toWrites(toDocument('first', 'green tea')), put);
    const pages = Number(database.pragma('page_count', { simple: true }));
    database.pragma(`max_page_count = ${pages + 4}`);
    const batch = await toWrites(...Array.from({ length: 50 }, (_, at) => toDocument(`d-${at}`, `number ${at}`)));
    await expect(store.put(batch, put)).rejects.toMatchObject({ code: 'no_space' });
    expect(await store.stats(everyone.visible)).toEqual({ documents: 1, vectors: 1, tags: [] });
    expect(hitIds((await store.find(await toQuery('number 7'), everyone, 5)).byVector)).toEqual(['first']);
    await expect(
      store.rebuild(async () =>
        derive([toDocument('first', Array.from({ length: 5_000 }, (_, at) => `word${at}`).join(' '))]),
      ),
    ).rejects.toMatchObject({ code: 'no_space' });
    expect(hitIds((await store.find(await toQuery('green tea'), everyone, 5)).byWords)).toEqual(['first']);
    database.pragma('max_page_count = 1000000');
    expect(await store.put(batch, put)).toEqual({ kind: 'stored' });
    expect(hitIds((await store.find(await toQuery('number 7'), everyone, 5)).byWords)[0]).toBe('d-7');
    await store.close();
  });

  it('refuses a file of a newer program, and leaves it as it is', async () => {
    await fill();
    const newer = openDatabase({ file, migrations: [...migrations, 'CREATE TABLE of_the_future (x)'] });
    newer.close();
    await expect(openSqliteStore({ file, embedder: embedder.identity })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
