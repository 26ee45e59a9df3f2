import type { JsonObject, JsonValue } from '@contextloom/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DescribeEngine } from './support/engines.ts';
import { filter, metadata } from './support/filters.ts';
import type { TemporaryKnowledgeBase } from './support/service.ts';

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

/** The users that a filter names by eq or in, wherever in it: their documents are seen. */
function usersIn(condition: JsonObject): readonly JsonValue[] {
  return Object.entries(condition).flatMap(([name, asked]) => {
    if (name === '$and' || name === '$or') return (asked as readonly JsonObject[]).flatMap(usersIn);
    if (name !== 'user_id') return [];
    if (typeof asked !== 'object' || asked === null) return [asked];
    return Object.entries(asked as JsonObject).flatMap(([operator, operand]) =>
      /^\$?(?:eq|in)$/.test(operator) ? operand : [],
    );
  });
}

/** Whether a call with the filter sees the document: nobody's, and those of the users that it names. */
function isSeen({ user_id: owner = null }: JsonObject, condition: JsonObject): boolean {
  return owner === null || usersIn(condition).includes(owner);
}

function matches(document: JsonObject, condition: JsonObject): boolean {
  return Object.entries(condition).every(([name, asked]) => {
    if (name === '$and') return (asked as readonly JsonObject[]).every((part) => matches(document, part));
    if (name === '$or') return (asked as readonly JsonObject[]).some((part) => matches(document, part));
    if (!Object.hasOwn(document, name)) return false;
    // Nobody's document is as one without the key.
    if (name === 'user_id' && document[name] === null) return false;
    const value = document[name] ?? null;
    if (typeof asked !== 'object' || asked === null) return meets(value, 'eq', asked);
    return Object.entries(asked as JsonObject).every(([operator, operand]) => meets(value, operator, operand));
  });
}

/** Describes which documents a filter leaves; without isolation the embedded store goes by values instead of by rows. */
export function describeFilters(describeEngine: DescribeEngine): void {
  describe.each(['strict', 'off'] as const)('with isolation %s', (isolation) => {
    describeEngine('a metadata filter', ({ open, runs }) => {
      let temporary: TemporaryKnowledgeBase;
      beforeAll(async () => {
        temporary = await open(isolation);
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
                .filter(({ metadata: data }) => isolation === 'off' || isSeen(data, condition))
                .filter(({ metadata: data }) => matches(data, condition))
                .map(({ doc_id }) => doc_id);
              const within = { tags: [`run-${run}`], metadata_filter: condition };
              const listed = await temporary.knowledgeBase.list({ ...within, limit: 200 });
              const found = await temporary.knowledgeBase.search({ ...within, query: 'tea', top_k: 100 });
              expect({ condition, listed: listed.documents.map(({ id }) => id).sort() }).toEqual({
                condition,
                listed: expected.sort(),
              });
              expect({ condition, found: found.map(({ id }) => id).sort() }).toEqual({
                condition,
                found: expected.sort(),
              });
              expect(listed.total).toBe(expected.length);
            }
          },
        );
        await fc.assert(property, { numRuns: runs.many });
      });
    });
  });
}
