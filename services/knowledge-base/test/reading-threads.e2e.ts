import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createLexicalEmbedder } from '@contextloom/llm';
import { tokenize } from '@contextloom/retrieval';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toIndexes } from '../src/domain/indexing/indexing.ts';
import type { DocumentStore, Hits } from '../src/domain/store.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { makeFolder } from './support/service.ts';
import {
  derive,
  embedder,
  everyone,
  hitIds,
  readAllInThreads,
  seenBy,
  toDocument,
  toWrites,
} from './support/stores.ts';

const put = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };
const words = ['tea', 'rice', 'train', 'harbour', 'saffron', 'window', 'letter', 'winter', '茶', '月亮', '上海', '猫'];
const users = ['ann', 'bob'];

let folder: string;
const opened: DocumentStore[] = [];
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  await rm(folder, { recursive: true, force: true });
});

async function open(settings: Partial<Parameters<typeof openSqliteStore>[0]> = readAllInThreads) {
  const store = await openSqliteStore({
    file: join(folder, 'kb.sqlite'),
    embedder: embedder.identity,
    ...settings,
  });
  opened.push(store);
  return store;
}

const wordsOf = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, at) => words[(seed * (at + 3) + ((seed * seed) >> at)) % words.length]).join(' ');
const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) =>
    toDocument(`d-${from + at}`, `${wordsOf(from + at, 3 + (at % 9))} number ${from + at}`, {
      metadata: { user_id: users[at % 2] ?? '' },
    }),
  );

async function find(store: DocumentStore, text: string, selection = everyone, limit = 40): Promise<Hits> {
  const [vector = new Float32Array()] = await embedder.embed([text]);
  return store.find({ tokens: tokenize(text), vector }, selection, limit);
}

describe('a store that is read in threads', () => {
  it('finds what was written a moment ago, and no more what was removed', async () => {
    const store = await open();
    for (let at = 0; at < 30; at += 1) {
      await store.put(await toWrites(toDocument(`d-${at}`, `moment ${at}`)), put);
      await store.put(await toWrites(toDocument('same', `changed${at}`)), put);
      expect(hitIds((await find(store, `moment ${at}`)).byWords)).toContain(`d-${at}`);
      expect(hitIds((await find(store, `changed${at}`)).byWords)).toEqual(['same']);
      expect(hitIds((await find(store, `changed${at}`)).byVector)[0]).toBe('same');
      expect((await store.list(everyone, { limit: 1 })).total).toBe(at + 2);
    }
    const [record] = await store.read(['same'], everyone);
    await store.remove(record?.revision ?? '');
    expect(hitIds((await find(store, 'moment')).byVector)).not.toContain('same');
    expect(await store.stats(everyone.visible)).toMatchObject({ documents: 30, vectors: 30 });
  });

  it('finds from memory exactly what it finds in the rows, through changes of every kind', async () => {
    const [store, plain] = [await open(), await open({ threads: 0 })];
    await store.put(await toWrites(...numbered(700)), put);
    for (let round = 0; round < 12; round += 1) {
      for (const selection of [everyone, seenBy('ann')]) {
        const query = wordsOf(round * 7 + 1, 1 + (round % 5));
        expect(await find(store, query, selection)).toEqual(await find(plain, query, selection));
      }
      const changed = numbered(20, round * 31).map((one) => ({ ...one, content: `${one.content} changed ${round}` }));
      await plain.put(await toWrites(...changed), { ...put, keepOwners: false });
      await store.put(await toWrites(...numbered(5, 1_000 + 5 * round)), put);
      const [record] = await store.read([`d-${500 + round}`], everyone);
      await store.remove(record?.revision ?? '');
    }
  });

  it('counts a word exactly that stands in a document hundreds of times', async () => {
    const [store, plain] = [await open(), await open({ threads: 0 })];
    const repeated = [254, 255, 256, 700].map((count) =>
      toDocument(`tea-${count}`, `${'tea '.repeat(count)}${'other '.repeat(1_000 - count)}${'茶'.repeat(count)}`),
    );
    await store.put(await toWrites(...numbered(300), ...repeated), put);
    for (const query of ['tea', '茶', 'tea 茶 other']) {
      expect(await find(store, query)).toEqual(await find(plain, query));
    }
  });

  it('finds the same when its memory is too small for all, or for any', async () => {
    const plain = await open({ threads: 0 });
    await plain.put(await toWrites(...numbered(600)), put);
    for (const cacheBytes of [1, 250_000]) {
      const store = await open({ ...readAllInThreads, cacheBytes });
      for (const selection of [seenBy('ann'), seenBy('bob'), everyone, seenBy('ann')]) {
        expect(await find(store, 'saffron 茶', selection)).toEqual(await find(plain, 'saffron 茶', selection));
      }
    }
  });

  it('gives a user’s documents the same scores whatever others write, above a thousand matches too', async () => {
    for (const threads of [0, 1]) {
      const store = await open({ threads });
      const tea = (id: string, user: string) =>
        toDocument(id, `tea ${id.slice(-1)} ${'rice '.repeat(Number(id.slice(-1)))}`, { metadata: { user_id: user } });
      const write = (user: string, count: number) =>
        toWrites(...Array.from({ length: count }, (_, at) => tea(`${user}-${threads}-${at}`, user)));
      await store.put(await write('ann', 1_100), put);
      const seen = { visible: { kind: 'owners', owners: ['"ann"'] }, condition: everyone.condition } as const;
      const before = await find(store, 'tea rice', seen, 20);
      await store.put(await write('bob', 700), put);
      expect(await find(store, 'tea rice', seen, 20)).toEqual(before);
    }
  });

  it('finds the same in a selection of thousands, next to small ones and through changes', async () => {
    const [store, plain] = [await open(), await open({ threads: 0 })];
    await store.put(await toWrites(...numbered(2_400)), put);
    for (const round of [1, 2, 3]) {
      for (const selection of [everyone, seenBy('ann'), everyone]) {
        const query = `${round} ${round * 17} ${round * 170}`;
        expect(await find(store, query, selection)).toEqual(await find(plain, query, selection));
      }
      await plain.put(await toWrites(toDocument('d-17', `17 changed ${round}`)), { ...put, keepOwners: false });
    }
  });

  it('ranks a vector without a direction last, and all by id for a query without one', async () => {
    const [store, plain] = [await open(), await open({ threads: 0 })];
    const writes = await toWrites(...numbered(300));
    const { dimensions } = embedder.identity;
    const blank = writes.map((write, at) =>
      at % 3 === 0 ? { ...write, vector: new Float32Array(dimensions) } : write,
    );
    await store.put(blank, put);
    const tokens = tokenize('tea');
    const [some = new Float32Array()] = await embedder.embed(['tea']);
    for (const vector of [some, new Float32Array(dimensions)]) {
      const query = { tokens, vector };
      expect(await store.find(query, everyone, 250)).toEqual(await plain.find(query, everyone, 250));
    }
  });

  it('answers searches while its index is rebuilt, and from the new one when that is done', async () => {
    const store = await open();
    await store.put(await toWrites(...numbered(300)), put);
    const before = await find(store, 'number 7 tea');
    let isDone = false;
    const searching = (async () => {
      const answers: Hits[] = [];
      while (!isDone) answers.push(...(await Promise.all([1, 2, 3].map(() => find(store, 'number 7 tea')))));
      return answers;
    })();
    const turned = (documents: Parameters<typeof derive>[0]) =>
      derive(documents).then((all) => all.map((one) => ({ ...one, vector: one.vector.map((value) => -value) })));
    expect(await store.rebuild(derive)).toMatchObject({ kind: 'complete' });
    expect(await store.rebuild(turned)).toMatchObject({ kind: 'complete' });
    isDone = true;
    // How near they are is of the vectors that change meanwhile.
    const toWordHits = ({ byWords }: Hits) => byWords.map(({ candidate, score }) => ({ candidate, score }));
    for (const answer of await searching) expect(toWordHits(answer)).toEqual(toWordHits(before));
    const plain = await open({ threads: 0 });
    const after = await find(store, 'number 7 tea', everyone, 5);
    expect(after).toEqual(await find(plain, 'number 7 tea', everyone, 5));
    expect(after.byVector[0]).not.toEqual(before.byVector[0]);
  });

  it('stops to serve once another process has filled it with another embedder', async () => {
    const store = await open();
    await store.put(await toWrites(...numbered(10)), put);
    expect((await find(store, 'tea')).byVector).toHaveLength(10);
    const small = createLexicalEmbedder({ dimensions: 64 });
    const rebuild = await open({ embedder: small.identity, onMismatch: 'rebuild' });
    await rebuild.rebuild((documents) => toIndexes(documents, small));
    await expect(find(store, 'tea')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('64 dimensions'),
    });
  });

  it('refuses a vector of other dimensions, as it does without threads', async () => {
    const store = await open();
    await store.put(await toWrites(...numbered(10)), put);
    const query = { tokens: tokenize('tea'), vector: new Float32Array(3) };
    await expect(store.find(query, everyone, 5)).rejects.toMatchObject({ code: 'internal' });
  });

  it('answers many searches at once, with writes between them', async () => {
    const store = await open();
    await store.put(await toWrites(...numbered(500)), put);
    const calls = Array.from({ length: 60 }, async (_, at) => {
      if (at % 10 === 9) await store.put(await toWrites(toDocument(`late-${at}`, 'zebra')), put);
      return find(store, `number ${at}`);
    });
    const answers = await Promise.all(calls);
    answers.forEach(({ byWords }, at) => {
      expect(byWords[0]?.candidate.id).toBe(`d-${at}`);
    });
    expect((await find(store, 'zebra')).byWords).toHaveLength(6);
  });

  it('is closed while it answers: what is in hand ends, what waits is refused, and nothing is left open', async () => {
    const store = await open();
    await store.put(await toWrites(...numbered(300)), put);
    const calls = Promise.allSettled(Array.from({ length: 20 }, () => find(store, 'tea')));
    await new Promise((resolve) => setTimeout(resolve, 1));
    await store.close();
    for (const ending of await calls) {
      if (ending.status === 'rejected') expect(ending.reason).toMatchObject({ code: 'unavailable' });
      else expect(ending.value.byWords.length).toBeGreaterThan(0);
    }
    const again = await open();
    expect((await find(again, 'tea')).byWords.length).toBeGreaterThan(0);
  });
});
