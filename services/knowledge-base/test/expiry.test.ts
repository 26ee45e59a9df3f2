import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBytes } from '@contextloom/testing/find-bytes';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createKnowledgeBase } from '../src/domain/local-knowledge-base.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { describeExpiry } from './expiry.contract.ts';
import { describeInFile } from './support/engines.ts';
import { embedder } from './support/stores.ts';

describeExpiry(describeInFile);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-expiry-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Opens the knowledge base of the folder at a time; `break` has the erasing of bytes fail, as a process that is killed leaves it. */
async function openAt(time: string, { isBroken = false } = {}) {
  const store = await openSqliteStore({ file: join(folder, 'kb.sqlite'), embedder: embedder.identity });
  const forget = (): never => {
    throw new Error('killed');
  };
  return createKnowledgeBase({
    store: isBroken ? { ...store, forget } : store,
    embedder,
    isolation: 'strict',
    clock: () => new Date(time),
    newId: () => 'id',
  });
}

it('has its words gone from the files, also where an earlier run was cut off before that', async () => {
  const words = ['Zanzibar', '桑给巴尔的老茶馆', 'spice-market'];
  const first = await openAt('2026-03-01T09:00:00Z');
  const kept = Array.from({ length: 40 }, (_, at) => ({
    content: `Bergen ${at}`,
    tags: [],
    metadata: { user_id: 'ann' },
  }));
  await first.add([
    ...kept.map((document, at) => ({ ...document, doc_id: `kept-${at}` })),
    {
      doc_id: 'gone',
      content: words.join(' '),
      tags: ['spice-market'],
      keys: ['Zanzibar key'],
      metadata: { user_id: 'ann', place: 'Zanzibar' },
      expires_at: '2026-03-01T10:00:00Z',
    },
  ]);
  await first.close();
  expect(findBytes(folder, words)).not.toEqual([]);
  const cutOff = await openAt('2026-03-01T10:00:00Z', { isBroken: true });
  await expect(cutOff.forgetExpired()).rejects.toThrow('killed');
  await cutOff.close();
  const last = await openAt('2026-03-01T10:00:01Z');
  await last.forgetExpired();
  expect(findBytes(folder, words)).toEqual([]);
  expect((await last.stats('ann')).document_count).toBe(41);
  await last.close();
});

it('has the words of a single document gone that is deleted, and of what rested on it, after a restart too', async () => {
  const words = ['Zanzibar', '桑给巴尔的老茶馆', 'spice-market'];
  const open = async () => {
    const store = await openSqliteStore({ file: join(folder, 'kb.sqlite'), embedder: embedder.identity });
    const clock = () => new Date('2026-03-01T09:00:00Z');
    return { store, base: createKnowledgeBase({ store, embedder, isolation: 'strict', clock, newId: () => 'id' }) };
  };
  const metadata = { user_id: 'ann' };
  const first = await open();
  const kept = Array.from({ length: 40 }, (_, at) => ({
    doc_id: `kept-${at}`,
    content: `Bergen ${at}`.repeat(at + 1),
    tags: [],
    metadata,
  }));
  await first.base.add([
    ...kept,
    { doc_id: 'said-1', content: words.join(' '), tags: ['spice-market'], metadata, keys: ['Zanzibar key'] },
    {
      doc_id: 'drawn',
      content: 'Lives in Zanzibar',
      tags: [],
      metadata: { ...metadata, derived_from: ['note:said-1'] },
    },
  ]);
  expect(await first.store.eraseRemoved?.()).toBe(false);
  await first.base.delete({ id: 'said-1', userId: 'ann' });
  await first.base.close();
  expect(findBytes(folder, words)).not.toEqual([]);
  const later = await open();
  expect(await later.store.eraseRemoved?.()).toBe(true);
  expect(findBytes(folder, words)).toEqual([]);
  expect(await later.store.eraseRemoved?.()).toBe(false);
  expect((await later.base.stats('ann')).document_count).toBe(40);
  // What another reading brings back is not forgotten.
  await later.base.delete({ id: 'kept-1', userId: 'ann' }, { retract: false });
  expect(await later.store.eraseRemoved?.()).toBe(false);
  await later.base.close();
});
