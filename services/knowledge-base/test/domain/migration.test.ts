import { ContextloomError, type Document } from '@contextloom/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type MigrationProgress, migrate } from '../../src/domain/indexing/migration.ts';
import type { DocumentStore } from '../../src/domain/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { metadata } from '../support/filters.ts';
import {
  embedder,
  everyone,
  openTemporaryStore,
  type TemporaryStore,
  toDocument,
  toWrites,
} from '../support/stores.ts';

const times = { at: '2024-01-01T00:00:00.000Z', keepOwners: false };
const open = () => openTemporaryStore((file) => openSqliteStore({ file, embedder: embedder.identity }));
const put = async (store: DocumentStore, ...documents: readonly Document[]) =>
  store.put(await toWrites(...documents), times);
const listAll = async (store: DocumentStore) => (await store.list(everyone, { limit: 10_000 })).documents;
const numbered = (count: number) => Array.from({ length: count }, (_, at) => toDocument(`d-${at}`, `number ${at}`));

let [from, to]: TemporaryStore[] = [];
let source: DocumentStore;
let target: DocumentStore;
beforeEach(async () => {
  [from, to] = [await open(), await open()];
  [source, target] = [from.store, to.store];
});
afterEach(async () => {
  await Promise.all([from?.remove(), to?.remove()]);
});

/** Copies, and notes the progress; `until` may interrupt it. */
async function copy(until?: (progress: MigrationProgress) => boolean) {
  const interrupted = new AbortController();
  const progress: MigrationProgress[] = [];
  const onProgress = (step: MigrationProgress): void => {
    progress.push(step);
    if (until?.(step) === true) interrupted.abort();
  };
  return { report: await migrate({ source, target, onProgress, signal: interrupted.signal }), progress };
}

describe('a migration', () => {
  it('copies documents as they are: with owners, times and versions', async () => {
    const document = fc.record({
      content: fc.constantFrom('', '我的猫叫小白', 'tea with Ann'),
      tags: fc.uniqueArray(fc.constantFrom('a', '标签'), { maxLength: 2 }),
      metadata,
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 8 }), async (some) => {
        run += 1;
        const documents = some.map((one, at) => toDocument(`${run}-${at}`, one.content, one));
        await put(source, ...documents);
        await put(source, ...documents.slice(1)); // Version 2.
        expect((await copy()).report.kind).toBe('complete');
        expect(await listAll(target)).toEqual(await listAll(source));
      }),
      { numRuns: 25 },
    );
    const stats = await source.stats({ kind: 'everyone' });
    expect(await target.stats({ kind: 'everyone' })).toEqual(stats);
  });

  it('says how far it is, and what it came to', async () => {
    await put(source, ...numbered(450));
    await put(target, toDocument('of the target'));
    const { report, progress } = await copy();
    expect(report).toEqual({ kind: 'complete', documents: 450, copied: 450, others: 1 });
    expect(progress.slice(0, 3)).toEqual([
      { pass: 1, documents: 200, copied: 200 },
      { pass: 1, documents: 400, copied: 400 },
      { pass: 1, documents: 450, copied: 450 },
    ]);
    expect(progress.at(-1)).toEqual({ pass: 2, documents: 450, copied: 450 });
  });

  it('goes on where it was interrupted, and writes nothing twice', async () => {
    await put(source, ...numbered(450));
    const first = await copy(({ documents }) => documents >= 200);
    expect(first.report).toMatchObject({ kind: 'interrupted', copied: 200 });
    const second = await copy();
    expect(second.report).toMatchObject({ kind: 'complete', documents: 450, copied: 250 });
    expect((await copy()).report).toMatchObject({ kind: 'complete', copied: 0 });
  });

  it('takes up what changes meanwhile', async () => {
    await put(source, ...numbered(250));
    let isChanged = false;
    const during = copy(() => {
      if (!isChanged) void put(source, toDocument('d-3', 'changed meanwhile'), toDocument('late'));
      isChanged = true;
      return false;
    });
    expect((await during).report.kind).toBe('complete');
    await copy();
    expect(await listAll(target)).toEqual(await listAll(source));
  });

  it('sends fewer at once to a store that takes no more', async () => {
    await put(source, ...numbered(20));
    const sizes: number[] = [];
    const small = {
      ...target,
      restore: async (writes: Parameters<DocumentStore['restore']>[0]) => {
        if (writes.length > 3) throw new ContextloomError('too_large', 'send fewer');
        sizes.push(writes.length);
        return target.restore(writes);
      },
    };
    const report = await migrate({
      source,
      target: small,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
    expect(report).toMatchObject({ kind: 'complete', copied: 20 });
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20);
  });
});
