import type { JsonObject, JsonValue } from '@contextloom/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openTemporary, type TemporaryKnowledgeBase } from './support/service.ts';

/** Few keys and values, so that filters meet documents; names that would break a spliced query. */
const key = fc.constantFrom('k', 'a.b', "it's", '"q"', '__proto__', '键', '$k2');
const time = fc.constantFrom(
  '2024-01-01',
  '2024-01-01T00:00:00Z',
  '2024-01-01T08:00:00+08:00',
  '2025-06-30T12:00:00.500Z',
);
const scalar = fc.oneof(fc.constantFrom<JsonValue>(null, true, false, '', '5', 'x', '茶', 5, -1.5, 0), time);
const nested = fc.constantFrom<JsonValue>([1, 'x'], { k: 1 }, [], {});
const metadata = fc
  .array(fc.tuple(key, fc.oneof({ arbitrary: scalar, weight: 4 }, nested)), { maxLength: 5 })
  .map(toObject);

/** Own keys, whatever they are called: an object literal would take `__proto__` for something else. */
function toObject(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  return Object.fromEntries(entries);
}

const spelled = (name: string) => fc.constantFrom(name, `$${name}`);
const operators = fc.oneof(
  fc.tuple(fc.constantFrom('eq', 'ne').chain(spelled), scalar),
  fc.tuple(fc.constantFrom('in', 'nin').chain(spelled), fc.array(scalar, { maxLength: 4 })),
  fc.tuple(
    fc.constantFrom('gt', 'gte', 'lt', 'lte').chain(spelled),
    fc.oneof(fc.constantFrom<JsonValue>(-2, 0, 5), time),
  ),
);
const comparison = fc.oneof(
  fc.tuple(
    key.filter((name) => !name.startsWith('$')),
    scalar,
  ),
  fc.tuple(
    key.filter((name) => !name.startsWith('$')),
    fc.array(operators, { minLength: 1, maxLength: 2 }).map(toObject),
  ),
);
const { filter } = fc.letrec<{ filter: JsonObject }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.array(comparison, { minLength: 1, maxLength: 2 }).map(toObject),
    fc
      .tuple(fc.constantFrom('$and', '$or'), fc.array(tie('filter'), { maxLength: 3 }))
      .map((entry) => toObject([entry])),
  ),
}));

const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);

/** What the documentation says of one operator, in plain JavaScript: the reference that the store is held against. */
function meets(value: JsonValue, operator: string, operand: JsonValue): boolean {
  const name = operator.replace('$', '');
  if (name === 'eq') return value === operand;
  if (name === 'ne') return value !== operand;
  if (name === 'in') return (operand as readonly JsonValue[]).includes(value);
  if (name === 'nin') return !(operand as readonly JsonValue[]).includes(value);
  const both =
    typeof operand === 'number'
      ? [value, operand]
      : [isTime(value) ? Date.parse(value) : undefined, Date.parse(String(operand))];
  const [left, right] = both;
  if (typeof left !== 'number' || typeof right !== 'number') return false;
  return { gt: left > right, gte: left >= right, lt: left < right, lte: left <= right }[name] ?? false;
}

function matches(document: JsonObject, condition: JsonObject): boolean {
  return Object.entries(condition).every(([name, asked]) => {
    if (name === '$and') return (asked as readonly JsonObject[]).every((part) => matches(document, part));
    if (name === '$or') return (asked as readonly JsonObject[]).some((part) => matches(document, part));
    if (!Object.hasOwn(document, name)) return false;
    const value = document[name] ?? null;
    if (typeof asked !== 'object' || asked === null) return meets(value, 'eq', asked);
    return Object.entries(asked as JsonObject).every(([operator, operand]) => meets(value, operator, operand));
  });
}

// Without isolation every document is visible, and the embedded store then goes by values instead of by rows.
describe.each(['strict', 'off'] as const)('a metadata filter, isolation %s', (isolation) => {
  let temporary: TemporaryKnowledgeBase;
  beforeAll(async () => {
    temporary = await openTemporary(isolation);
  });
  afterAll(() => temporary.remove());

  it('leaves exactly the documents that its documentation says, by list and by search', async () => {
    let run = 0;
    const property = fc.asyncProperty(
      fc.array(metadata, { minLength: 1, maxLength: 12 }),
      fc.array(filter, { minLength: 1, maxLength: 6 }),
      async (all, filters) => {
        run += 1;
        const documents = all.map((data, at) => ({
          doc_id: `${run}-${at}`,
          content: `tea 茶 ${at}`,
          tags: [`run-${run}`],
          metadata: data,
        }));
        await temporary.knowledgeBase.add(documents);
        for (const condition of filters) {
          const expected = documents
            .filter((document) => matches(document.metadata, condition))
            .map(({ doc_id }) => doc_id);
          const within = { tags: [`run-${run}`], metadata_filter: condition };
          const listed = await temporary.knowledgeBase.list({ ...within, limit: 200 });
          const found = await temporary.knowledgeBase.search({ ...within, query: 'tea', top_k: 100 });
          expect({ condition, listed: listed.documents.map(({ id }) => id).sort() }).toEqual({
            condition,
            listed: expected.sort(),
          });
          expect({ condition, found: found.map(({ id }) => id).sort() }).toEqual({ condition, found: expected.sort() });
          expect(listed.total).toBe(expected.length);
        }
      },
    );
    await fc.assert(property, { numRuns: 100 });
  }, 120_000);
});
