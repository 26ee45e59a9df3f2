import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBytes } from '@contextloom/testing/find-bytes';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { forgetImports } from '../../src/imports/forget-imports.ts';
import { openJournal } from '../../src/imports/journal/journal.ts';

const SECRETS = ['ann-7f3a91', 'Walks in Zanzibar', 'ann-chats.zip'];
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextloom-forget-imports-'));
  file = join(folder, 'imports.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('erases a user from the journal of imports, and keeps those of others', async () => {
  const journal = openJournal(file, () => new Date('2026-03-02T09:30:00Z'));
  for (const [userId, title, source] of [
    ['ann-7f3a91', 'Walks in Zanzibar', 'ann-chats.zip'],
    ['bob', 'Rowing', 'bob-chats.zip'],
  ] as const) {
    journal.begin({ id: `import of ${source}`, userId, sources: [source] });
    for (const key of ['1', '2', '3']) {
      journal.settle(`import of ${source}`, { key, title, part: 1 }, { state: 'saved', saved: 4 });
    }
  }
  const bobs = journal.get('import of bob-chats.zip');
  const counts = {
    erased: [
      { what: 'imports', count: 1 },
      { what: 'imported conversations', count: 3 },
    ],
    unreached: [],
  };
  expect(await forgetImports(file, 'ann-7f3a91', true)).toEqual(counts);
  expect(journal.list()).toHaveLength(2);
  expect(await forgetImports(file, 'ann-7f3a91', false)).toEqual(counts);
  expect(findBytes(folder, SECRETS)).toEqual([]);
  expect(journal.list()).toEqual([bobs]);
  expect((await forgetImports(file, 'ann-7f3a91', false)).erased.map(({ count }) => count)).toEqual([0, 0]);
  journal.close();
});

it('has nothing to forget where nothing was imported', async () => {
  expect(await forgetImports(file, 'ann', false)).toEqual({ erased: [], unreached: [] });
  expect(findBytes(folder, ['ann'])).toEqual([]);
});
