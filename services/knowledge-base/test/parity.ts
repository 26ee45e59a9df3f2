import type { Document, JsonObject } from '@contextloom/contracts';
import { tokenize } from '@contextloom/retrieval';
import { parseFilter, toRowCondition } from '@contextloom/retrieval/filter';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DocumentStore, Hits, Selection } from '../src/domain/store.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { type ChromaServer, describeWithChroma } from './support/chroma-server.ts';
import { openTemporaryChromaStore } from './support/chroma-store.ts';
import { filter, metadata } from './support/filters.ts';
import { useSharedChroma } from './support/shared-chroma.ts';
import {
  embedder,
  everyone,
  hitIds,
  openTemporaryStore,
  type TemporaryStore,
  toDocument,
  toWrites,
} from './support/stores.ts';

/** Documents whose distances differ by less may change places: the engines keep vectors with other roundings. */
const DISTANCE_BOUND = 1e-5;

/** Texts that share words, some of them thousands of characters long. */
const sentence = fc.constantFrom(
  'green tea with Ann in the harbour',
  'tea, once',
  '小明每天早上喝龙井茶',
  '她明年搬到上海去住，猫也去',
  '猫',
  'a train to Graz',
  "O'Hara\n\u0000 said: 👋",
  '',
);
const content = fc.oneof(
  { arbitrary: fc.array(sentence, { maxLength: 4 }).map((parts) => parts.join(' ')), weight: 6 },
  { arbitrary: sentence.map((text) => `${text} `.repeat(300)), weight: 1 },
);
const owner = fc.constantFrom<JsonObject>({}, { user_id: 'ann' }, { user_id: 'bob' }, { user_id: 5 });
const document = fc
  .record({
    id: fc.constantFrom('a', 'b#1', 'c/ü', '文档', 'd\'"', 'e e', 'f#', '#0'),
    content,
    tags: fc.uniqueArray(fc.constantFrom('x', '标签', 'a.b', '"q"', '$t'), { maxLength: 3 }),
    data: metadata,
    owner,
  })
  .map(({ id, content: text, tags, data, owner: whose }) =>
    toDocument(id, text, { tags, metadata: Object.fromEntries([...Object.entries(data), ...Object.entries(whose)]) }),
  );

type Step =
  | { readonly call: 'put'; readonly documents: readonly Document[]; readonly keepOwners: boolean }
  | { readonly call: 'replace' | 'remove'; readonly document: Document; readonly isStale: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      call: fc.constant('put' as const),
      documents: fc.uniqueArray(document, { minLength: 1, maxLength: 5, selector: ({ id }) => id }),
      keepOwners: fc.boolean(),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      call: fc.constantFrom('replace' as const, 'remove' as const),
      document,
      isStale: fc.boolean(),
    }),
    weight: 2,
  },
);

/** Applies a step to one store; revisions are its own, so that only outcomes are compared. */
async function apply(store: DocumentStore, one: Step, at: string, seen: Map<string, string>): Promise<unknown> {
  if (one.call === 'put') {
    return store.put(await toWrites(...one.documents), { at, keepOwners: one.keepOwners });
  }
  const { id } = one.document;
  const [record] = await store.read([id], everyone);
  const revision = one.isStale ? seen.get(id) : record?.revision;
  if (record !== undefined) seen.set(id, record.revision);
  if (one.call === 'remove') return store.remove(revision ?? 'none');
  const [write] = await toWrites(one.document);
  if (write === undefined) throw new Error('no write was made');
  const { vector, ...rest } = write;
  const isSameText = record?.document.content === one.document.content;
  const outcome = await store.replace(revision ?? 'none', isSameText ? rest : write, { at });
  return outcome === 'stale' ? outcome : outcome.document;
}

const visibilities: readonly Selection['visible'][] = [
  { kind: 'everyone' },
  { kind: 'owners', owners: ['null', '"ann"'] },
  { kind: 'owners', owners: ['5'] },
];

/** Whether two rankings agree but for neighbours that are as near as makes no difference. */
function expectSameOrder(left: readonly string[], right: readonly string[], distanceOf: (id: string) => number): void {
  expect([...left].sort()).toEqual([...right].sort());
  for (const [at, id] of left.entries()) {
    const other = right[at] ?? id;
    if (id !== other) expect(Math.abs(distanceOf(id) - distanceOf(other))).toBeLessThan(DISTANCE_BOUND);
  }
}

function cosineDistance(a: Float32Array, b: Float32Array): number {
  let [dot, left, right] = [0, 0, 0];
  for (const [at, x] of a.entries()) {
    const y = b[at] ?? 0;
    [dot, left, right] = [dot + x * y, left + x * x, right + y * y];
  }
  return left === 0 || right === 0 ? 2 : 1 - dot / Math.sqrt(left * right);
}

type Stores = readonly [DocumentStore, DocumentStore];
/** What both stores tell of a candidate, but for the last bits of its score; one may have had to read the document too, the other know its length. */
const shown = (found: Hits['byWords']) =>
  found.map(({ candidate: { document: _document, length: _length, ...candidate } }) => candidate);

async function expectSameFindings(stores: Stores, query: string, selection: Selection) {
  const [vector = new Float32Array()] = await embedder.embed([query]);
  const find = (store: DocumentStore): Promise<Hits> => store.find({ tokens: tokenize(query), vector }, selection, 100);
  const [left, right] = await Promise.all([find(stores[0]), find(stores[1])]);
  const [ours, theirs] = [left, right].map(({ byWords }) => ({
    candidates: shown(byWords),
    scores: byWords.map(({ score }) => score.toFixed(6)),
  }));
  expect({ query, selection, byWords: theirs }).toEqual({ query, selection, byWords: ours });
  const found = await stores[0].read(hitIds(left.byVector), selection);
  const vectors = await embedder.embed(found.map((record) => record.document.content));
  const distances = new Map(
    found.map((record, at) => [record.document.id, cosineDistance(vectors[at] ?? new Float32Array(), vector)]),
  );
  expectSameOrder(hitIds(left.byVector), hitIds(right.byVector), (id) => distances.get(id) ?? Number.NaN);
}

async function expectSame(stores: Stores, filters: readonly JsonObject[]) {
  const conditions = filters.map((one) => ({ one, condition: toRowCondition(parseFilter(one)) }));
  for (const visible of visibilities) {
    const stats = await Promise.all(stores.map((store) => store.stats(visible)));
    expect(stats[1]).toEqual(stats[0]);
    for (const { one, condition } of [{ one: {}, condition: everyone.condition }, ...conditions]) {
      const selection = { visible, condition };
      const [left, right] = await Promise.all(stores.map((store) => store.list(selection, { limit: 50 })));
      expect({ one, visible, page: right }).toEqual({ one, visible, page: left });
      await expectSameFindings(stores, '龙井 tea 猫 harbour', selection);
    }
  }
}

/** Compares a store with the embedded one after `runs` random series of operations. */
export function describeParityOf(openOther: () => Promise<TemporaryStore>, runs: number): void {
  /** Lets both stores do the same, and then compares all that can be asked of them. */
  const compare = async (steps: readonly Step[], filters: readonly JsonObject[]) => {
    const embedded = await openTemporaryStore((file) => openSqliteStore({ file, embedder: embedder.identity }));
    const other = await openOther();
    const seen = [new Map<string, string>(), new Map<string, string>()] as const;
    for (const [at, one] of steps.entries()) {
      const time = new Date(Date.UTC(2024, 0, 1 + at)).toISOString();
      const left = await apply(embedded.store, one, time, seen[0]);
      const right = await apply(other.store, one, time, seen[1]);
      expect({ one, outcome: right }).toEqual({ one, outcome: left });
    }
    await expectSame([embedded.store, other.store], filters);
    await Promise.all([embedded.remove(), other.remove()]);
  };
  const steps = fc.array(step, { minLength: 1, maxLength: 8 });
  const filters = fc.array(filter, { minLength: 1, maxLength: 6 });

  describe('after the same random operations', () => {
    it(
      'answered the same, hold the same, and find the same by every filter in the same order',
      async () => {
        const property = fc.asyncProperty(steps, filters, (all, some) => compare(all, some));
        await fc.assert(property, { numRuns: runs });
      },
      runs * 15_000,
    );
  });
}

/** Compares the embedded store and one on a Chroma server. */
export function describeParity({ runs }: { readonly runs: number }): void {
  describeWithChroma('the embedded store and the one on a Chroma server', () => {
    let server: Pick<ChromaServer, 'url'>;
    beforeAll(async () => {
      server = await useSharedChroma();
    });
    describeParityOf(() => openTemporaryChromaStore(server), runs);
  });
}
