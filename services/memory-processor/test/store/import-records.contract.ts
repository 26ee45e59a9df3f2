import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ImportRecords } from '../../src/domain/imports/journal.ts';
import type { Databases } from '../../src/open-databases.ts';

/** A place where imports are kept, which two processes may open. */
export interface ImportSite {
  readonly open: () => Databases;
  readonly remove: () => Promise<void>;
}

const holder = { onStop: () => undefined, progress: () => ({ done: 0, total: 0 }) };

/** What the records of imports keep to, whatever keeps them. */
export function describeImportRecords(name: string, toSite: () => Promise<ImportSite>): void {
  describe(`imports in ${name}`, () => {
    let site: ImportSite;
    let opened: readonly Databases[];
    let one: ImportRecords;
    let other: ImportRecords;
    beforeAll(async () => {
      site = await toSite();
      opened = [site.open(), site.open()];
      [one, other] = (await Promise.all(opened.map(({ openImports }) => openImports()))) as [
        ImportRecords,
        ImportRecords,
      ];
    }, 120_000);
    afterAll(async () => {
      for (const { close } of opened) await close();
      await site.remove();
    });

    it('are told by another process as they were begun, settled and ended', async () => {
      await one.journal.begin({ id: 'a1', userId: 'ann', sources: ['chat.txt'] });
      const saved = { key: '1', title: 'Walks', part: 1, retracted: { corrected: 1, deleted: 2 } };
      await one.journal.settle('a1', saved, { state: 'saved', saved: 3 });
      await one.journal.settle('a1', { key: '2', title: 'Walks', part: 2 }, { state: 'nothing' });
      const failed = { state: 'failed', saved: 1, reason: 'no answer', retryable: true } as const;
      await one.journal.settle('a1', { key: '4', title: 'Later', part: 1 }, failed);
      await one.journal.settle('a1', { key: '3', title: 'Last', part: 1 }, { ...failed, retryable: false });
      expect(await other.journal.get('a1')).toEqual({
        id: 'a1',
        userId: 'ann',
        sources: ['chat.txt'],
        state: 'running',
        startedAt: expect.stringMatching(/^\d{4}-/),
        endedAt: null,
        conversations: 3,
        saved: 5,
        nothing: 1,
        failed: 2,
        corrected: 1,
        deleted: 2,
      });
      expect(await other.journal.getItem('a1', '1')).toEqual({ state: 'saved', saved: 3 });
      expect(await other.journal.getItem('a1', '9')).toBeUndefined();
      expect(await other.journal.failures('a1')).toEqual([
        { title: 'Later', reason: 'no answer', retryable: true },
        { title: 'Last', reason: 'no answer', retryable: false },
      ]);
      await other.journal.settle('a1', { key: '4', title: 'Later', part: 1 }, { state: 'saved', saved: 2 });
      await other.journal.end('a1', 'done');
      expect(await one.journal.list('ann')).toMatchObject([{ id: 'a1', state: 'done', saved: 6, failed: 1 }]);
      expect(await one.journal.list('bob')).toEqual([]);
      await one.journal.begin({ id: 'a1', userId: 'ann', sources: ['chat.txt', 'more.txt'] });
      expect(await one.journal.get('a1')).toMatchObject({ state: 'running', endedAt: null, sources: { length: 2 } });
      await one.journal.clear('a1');
      expect(await other.journal.get('a1')).toMatchObject({ conversations: 0, saved: 0, failed: 0 });
    });

    it('are worked on by one at a time, and others meanwhile', async () => {
      const release = await one.locks.take('b1', holder);
      const refusal = 'import b1 is under way in another process, which goes on with it';
      await expect(other.locks.take('b1', holder)).rejects.toMatchObject({ code: 'conflict', message: refusal });
      expect(await other.locks.look('b1')).toBeDefined();
      await (await other.locks.take('b2', holder))();
      await release();
      expect(await other.locks.look('b1')).toBeUndefined();
      await (await other.locks.take('b1', holder))();
    });

    it('of one user are forgotten, and those of others stay', async () => {
      for (const userId of ['cy', 'dee']) {
        await one.journal.begin({ id: `of ${userId}`, userId, sources: [] });
        await one.journal.settle(`of ${userId}`, { key: '1', title: 'Walks', part: 1 }, { state: 'nothing' });
      }
      const counts = [
        { what: 'imports', count: 1 },
        { what: 'imported conversations', count: 1 },
      ];
      expect(await other.journal.forget('cy', true)).toEqual({ erased: counts, unreached: [] });
      expect(await one.journal.list('cy')).toHaveLength(1);
      expect(await other.journal.forget('cy', false)).toEqual({ erased: counts, unreached: [] });
      expect([await one.journal.list('cy'), await one.journal.getItem('of cy', '1')]).toEqual([[], undefined]);
      expect(await one.journal.list('dee')).toMatchObject([{ conversations: 1 }]);
    });

    it('are read again from when that began, until it is done', async () => {
      const since = await one.rereadings.begin('films');
      expect(await other.rereadings.begin('films')).toBe(since);
      expect(await other.rereadings.find('films')).toBe(since);
      await other.rereadings.end('films');
      expect(await one.rereadings.find('films')).toBeUndefined();
    });
  });
}
