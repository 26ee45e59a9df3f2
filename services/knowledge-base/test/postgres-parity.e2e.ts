import { tokenize } from '@contextloom/retrieval';
import { parseFilter, toRowCondition } from '@contextloom/retrieval/filter';
import { expect, it } from '@jest/globals';
import type { DocumentStore, Selection } from '../src/domain/store.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { describeParityOf } from './parity.ts';
import { describeWithPostgres, openTemporaryPostgresStore } from './support/postgres-store.ts';
import { embedder, openTemporaryStore, seenBy, toDocument, toWrites } from './support/stores.ts';

const USERS = ['ann', 'bob', 'O"Hara', '小明'];
const WORDS =
  'tea rice train harbour fog Graz Bergen Ann Bob cat saffron allergy peanut walk 茶 猫 上海 龙井茶 过敏 散步'.split(
    ' ',
  );
const QUESTIONS = 500;

/** The same numbers each time, spread as by chance. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describeWithPostgres('the embedded store and the one in Postgres', (server) => {
  describeParityOf(() => openTemporaryPostgresStore(server()), 16);

  it(`answer ${QUESTIONS} questions of four users the same, to the last digit of each score`, async () => {
    const next = createNumbers(7);
    const pick = <T>(all: readonly T[]): T => all[next(all.length)] as T;
    const toText = (most: number) => Array.from({ length: 1 + next(most) }, () => pick(WORDS)).join(' ');
    const documents = Array.from({ length: 600 }, (_, at) =>
      toDocument(`d-${at}`, toText(40), {
        tags: [pick(['memory', 'note', '标签'])],
        metadata: { user_id: pick(USERS), importance: next(10) },
      }),
    );
    const writes = await toWrites(...documents);
    const embedded = await openTemporaryStore((file) => openSqliteStore({ file, embedder: embedder.identity }));
    const other = await openTemporaryPostgresStore(server());
    const stores: readonly DocumentStore[] = [embedded.store, other.store];
    for (const store of stores) await store.put(writes, { at: '2025-01-01T00:00:00.000Z', keepOwners: true });
    const filters = [{}, { importance: { gte: 5 } }, { user_id: pick(USERS) }, { importance: { $in: [1, 2, 3] } }];
    for (let at = 0; at < QUESTIONS; at += 1) {
      const query = toText(6);
      const [vector] = await embedder.embed([query]);
      const condition = toRowCondition(parseFilter(pick(filters)));
      const selection: Selection = { ...seenBy(pick(USERS)), condition };
      const [left, right] = await Promise.all(
        stores.map((store) => store.find({ tokens: tokenize(query), vector }, selection, 10)),
      );
      expect({ query, hits: right }).toEqual({ query, hits: left });
    }
    await Promise.all([embedded.remove(), other.remove()]);
  }, 240_000);
});
