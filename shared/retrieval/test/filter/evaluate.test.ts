import type { JsonObject, JsonValue } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { meets, parseFilter, toAttributes, toRowCondition } from '../../src/filter/index.ts';

const matches = (filter: JsonObject, metadata: JsonObject): boolean =>
  meets(toAttributes({ tags: [], metadata }), toRowCondition(parseFilter(filter)));

const scalar = fc.constantFrom<JsonValue>(null, true, false, '5', 5, 5.5, -1, 'x', '茶', '2024-01-02');
const metadata = fc.dictionary(fc.constantFrom('a', 'b', '键'), fc.oneof(scalar, fc.constant<JsonValue>([5])));
const filter = fc.oneof(
  fc.dictionary(fc.constantFrom('a', 'b'), scalar),
  fc.record({ a: fc.record({ nin: fc.array(scalar, { maxLength: 3 }) }) }),
  fc.record({ b: fc.record({ gte: fc.constantFrom<JsonValue>(5, '2024-01-01') }) }),
);

describe('meets', () => {
  it.each<[JsonObject, JsonObject, boolean]>([
    [{ k: 5 }, { k: 5 }, true],
    [{ k: 5 }, { k: '5' }, false],
    [{ k: true }, { k: 1 }, false],
    [{ k: null }, { k: null }, true],
    [{ k: null }, {}, false],
    [{ k: { ne: 5 } }, { k: '5' }, true],
    [{ k: { ne: 5 } }, {}, false],
    [{ k: { nin: [5] } }, { k: [5] }, true],
    [{ k: { in: [] } }, { k: 5 }, false],
    [{ k: { gt: 4, lt: 5 } }, { k: 4.5 }, true],
    [{ k: { lt: 5 } }, { k: 5 }, false],
    [{ k: { lte: 5 } }, { k: '4' }, false],
    [{ at: { gte: '2024-01-01' } }, { at: '2024-01-01T01:00:00+01:00' }, true],
    [{ at: { gt: '2024-01-01' } }, { at: 'soon' }, false],
    [{}, {}, true],
    [{ $or: [] }, {}, false],
    [{ $or: [{ k: 1 }, { k: 2 }] }, { k: 2 }, true],
  ])('%j of %j is %s', (asked, document, expected) => {
    expect(matches(asked, document)).toBe(expected);
  });

  it('takes $and for all of its parts, $or for one of them', () => {
    fc.assert(
      fc.property(metadata, fc.array(filter, { maxLength: 3 }), (document, filters) => {
        const each = filters.map((one) => matches(one, document));
        expect(matches({ $and: filters }, document)).toBe(each.every(Boolean));
        expect(matches({ $or: filters }, document)).toBe(each.some(Boolean));
      }),
    );
  });

  it('finds a document that has the key by a list of values or by its opposite, and no other document by either', () => {
    fc.assert(
      fc.property(metadata, fc.array(scalar, { maxLength: 4 }), (document, values) => {
        const found = [{ in: values }, { nin: values }].filter((condition) => matches({ a: condition }, document));
        expect(found).toHaveLength(Object.hasOwn(document, 'a') ? 1 : 0);
      }),
    );
  });
});
