import type { JsonObject } from '@contextloom/contracts';
import { allOf, always, anyOf, hasEveryTag, meets, type RowCondition } from '@contextloom/retrieval/filter';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toOwner } from '../src/domain/documents/isolation.ts';
import { standsAt } from '../src/domain/documents/places.ts';
import { toWrite } from '../src/domain/indexing/indexing.ts';
import type { Selection } from '../src/domain/store.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { embedder, openTemporaryStore, type TemporaryStore, toDocument, toWrites } from './support/stores.ts';

/** More rows than are each asked for their attributes, of one user; some of another have the same values. */
const COUNT = 2_300;
const documents = Array.from({ length: COUNT + 200 }, (_, at) => {
  const place = { sequence: `talk-${Math.floor(at / 8) % 200}`, position: at % 8 };
  const metadata: JsonObject = { user_id: at < COUNT ? 'ann' : 'bob', importance: at % 10, ...place };
  return toDocument(`d-${at}`, `tea number ${at}`, { tags: at % 50 === 0 ? ['memory', 'rare'] : ['memory'], metadata });
});

const places = standsAt([
  { sequence: 'talk-3', position: 1 },
  { sequence: 'talk-90', position: 7 },
]);
const important: RowCondition = { test: 'gte', attribute: 'num:importance', value: 8 };
const notEight: RowCondition = { test: 'not_in', attribute: 'num:importance', values: [8] };

let temporary: TemporaryStore;
beforeAll(async () => {
  temporary = await openTemporaryStore((file) => openSqliteStore({ file, embedder: embedder.identity, threads: 0 }));
  const put = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };
  await temporary.store.put(await toWrites(...documents), put);
});
afterAll(() => temporary.remove());

describe('a selection of a user with many documents', () => {
  it.each<[string, RowCondition]>([
    ['all', always],
    ['some places', places],
    ['a tag that few have', hasEveryTag(['rare'])],
    ['a tag that all have', hasEveryTag(['memory'])],
    ['a value that nothing has', hasEveryTag(['memory', 'nothing'])],
    ['a rare tag and a range', allOf([hasEveryTag(['memory']), hasEveryTag(['rare']), important])],
    ['places without a value', allOf([places, notEight])],
    ['one of two', anyOf([places, hasEveryTag(['rare'])])],
    ['a range alone', important],
  ])('%s', async (_, condition) => {
    for (const visible of [
      { kind: 'owners', owners: ['"ann"'] },
      { kind: 'owners', owners: ['"ann"', '"bob"'] },
      { kind: 'everyone' },
    ] as const satisfies readonly Selection['visible'][]) {
      const isVisible = (owner: string): boolean =>
        visible.kind === 'everyone' || (visible.owners as readonly string[]).includes(owner);
      const expected = documents.filter((document) => {
        const owner = toOwner(document.metadata, 'strict');
        return isVisible(owner) && meets(toWrite(document, owner).index.attributes, condition);
      });
      const page = await temporary.store.list({ visible, condition }, { limit: COUNT + 200 });
      expect(page.documents.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
      expect(page.total).toBe(expected.length);
    }
  });
});
