import type { JsonObject, JsonValue } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import {
  conjunctsOf,
  MAX_FILTER_CONDITIONS,
  MAX_FILTER_DEPTH,
  MAX_FILTER_VALUES,
  parseFilter,
} from '../../src/filter/index.ts';

const parse = (filter: JsonObject) => conjunctsOf(parseFilter(filter));

function refusalOf(filter: JsonObject): unknown {
  try {
    parseFilter(filter);
  } catch (error) {
    return error;
  }
  throw new Error('the filter was accepted');
}

describe('parseFilter', () => {
  it('takes both spellings of every operator for the same', () => {
    const conditions: JsonObject = { eq: 'x', ne: 'x', gt: 1, gte: 1, lt: 1, lte: 1, in: ['x'], nin: ['x'] };
    for (const [operator, operand] of Object.entries(conditions)) {
      expect(parse({ k: { [`$${operator}`]: operand } })).toEqual(parse({ k: { [operator]: operand } }));
    }
    expect(parse({ k: { gte: 1, $gte: 2 } })).toHaveLength(2);
  });

  it('takes a bare scalar for equality, and null for a key that is there and null', () => {
    for (const value of ['x', '', 5, -0.5, true, null]) {
      expect(parse({ k: value })).toEqual([{ kind: 'in', key: 'k', values: [value] }]);
    }
  });

  it('joins the keys of one object, and nests $and and $or', () => {
    const filter = parseFilter({ a: 1, $or: [{ b: 2 }, { $and: [{ c: 3, d: 4 }] }] });
    const is = (key: string, value: JsonValue) => ({ kind: 'in', key, values: [value] });
    const all = (...filters: unknown[]) => ({ kind: 'and', filters });
    expect(filter).toEqual(
      all(is('a', 1), { kind: 'or', filters: [all(is('b', 2)), all(all(all(is('c', 3), is('d', 4))))] }),
    );
    expect(parse({})).toEqual([]);
  });

  it('compares numbers with numbers and timestamps with timestamps', () => {
    expect(parse({ k: { gt: 5 } })).toEqual([{ kind: 'gt', key: 'k', over: 'numbers', bound: 5 }]);
    expect(parse({ k: { lte: '2024-05-06' } })).toEqual([
      { kind: 'lte', key: 'k', over: 'timestamps', bound: Date.UTC(2024, 4, 6) },
    ]);
  });

  it.each<[string, JsonObject, string]>([
    ['a list as a value', { age: [1, 2] }, 'metadata_filter.age'],
    ['an object as a value', { age: { eq: { x: 1 } } }, 'metadata_filter.age.eq'],
    ['a list for ne', { age: { $ne: [1] } }, 'metadata_filter.age.$ne'],
    ['an empty object', { age: {} }, 'metadata_filter.age'],
    ['an unknown operator', { age: { $near: 5 } }, 'metadata_filter.age.$near'],
    ['operators mixed with plain keys', { age: { gte: 5, years: 6 } }, 'metadata_filter.age.years'],
    ['$and within a key', { age: { $and: [] } }, 'metadata_filter.age.$and'],
    ['an operator where a key stands', { $gte: 5 }, 'metadata_filter.$gte'],
    ['$not', { $not: { age: 5 } }, 'metadata_filter.$not'],
    ['in without a list', { age: { in: 5 } }, 'metadata_filter.age.in'],
    ['in with a list inside', { age: { in: [1, [2]] } }, 'metadata_filter.age.in[1]'],
    ['$or without a list', { $or: { age: 5 } }, 'metadata_filter.$or'],
    ['$and over scalars', { $and: [{ a: 1 }, 5] }, 'metadata_filter.$and[1]'],
    ['a range over a word', { name: { gt: 'm' } }, 'metadata_filter.name.gt'],
    ['a range over a day that does not exist', { day: { lt: '2024-02-30' } }, 'metadata_filter.day.lt'],
    ['a range over true', { done: { gte: true } }, 'metadata_filter.done.gte'],
    ['a range over null', { age: { lte: null } }, 'metadata_filter.age.lte'],
    [
      'a fault deep inside',
      { $or: [{ a: 1 }, { $and: [{ 'b.c': { $in: 'x' } }] }] },
      'metadata_filter.$or[1].$and[0].b.c.$in',
    ],
  ])('refuses %s, naming its place', (_what, filter, field) => {
    expect(refusalOf(filter)).toMatchObject({ code: 'invalid', field, message: expect.stringContaining(field) });
  });

  it('refuses nesting, conditions and values beyond its limits, and takes as many as they allow', () => {
    const nested = (depth: number): JsonObject => (depth === 0 ? { k: 1 } : { $and: [nested(depth - 1)] });
    expect(() => parseFilter(nested(MAX_FILTER_DEPTH))).not.toThrow();
    expect(refusalOf(nested(MAX_FILTER_DEPTH + 1))).toMatchObject({ code: 'invalid' });
    const many = (count: number): JsonObject => ({ $or: Array.from({ length: count }, (_, at) => ({ k: at })) });
    expect(() => parseFilter(many(MAX_FILTER_CONDITIONS))).not.toThrow();
    expect(refusalOf(many(MAX_FILTER_CONDITIONS + 1))).toMatchObject({ code: 'invalid' });
    const listed = (count: number): JsonObject => ({ k: { in: Array.from({ length: count }, (_, at) => at) } });
    expect(() => parseFilter(listed(MAX_FILTER_VALUES))).not.toThrow();
    expect(refusalOf(listed(MAX_FILTER_VALUES + 1))).toMatchObject({ code: 'invalid' });
  });

  it('takes any text for a key, __proto__ among them', () => {
    const filter: JsonObject = JSON.parse('{"__proto__": 1, "a.b": 2, "\\"; --": 3, "年龄": 4, "": 5}');
    expect(parse(filter).map((part) => 'key' in part && part.key)).toEqual(['__proto__', 'a.b', '"; --', '年龄', '']);
  });
});
