import type { JsonObject } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  hasEveryTag,
  hasSomeTag,
  parseFilter,
  type RowCondition,
  toAttributes,
  toRowCondition,
} from '../../src/filter/index.ts';

const encode = (metadata: JsonObject, tags: readonly string[] = []) =>
  Object.fromEntries(toAttributes({ tags: [...tags], metadata }));
const condition = (filter: JsonObject) => toRowCondition(parseFilter(filter));

describe('a document as attributes', () => {
  it('has a presence key for every key, and its value under a name of its type', () => {
    expect(encode({ city: '上海', age: 5, done: false, gone: null, list: [1], nested: { a: 1 } })).toEqual({
      'has:city': true,
      'str:city': '上海',
      'has:age': true,
      'num:age': 5,
      'has:done': true,
      'bool:done': false,
      'has:gone': true,
      'null:gone': true,
      'has:list': true,
      'has:nested': true,
    });
  });

  it('gives an ISO timestamp a numeric twin', () => {
    expect(encode({ at: '1970-01-01T00:00:01+00:00', word: 'soon' })).toEqual({
      'has:at': true,
      'str:at': '1970-01-01T00:00:01+00:00',
      'time:at': 1_000,
      'has:word': true,
      'str:word': 'soon',
    });
  });

  it('has a boolean key for every tag', () => {
    expect(encode({}, ['memory', '旅行', 'memory'])).toEqual({ 'tag:memory': true, 'tag:旅行': true });
  });
});

describe('a filter as a condition on attributes', () => {
  it('tells 5 from "5", and true from 1', () => {
    expect(condition({ k: 5 })).toEqual({ test: 'in', attribute: 'num:k', values: [5] });
    expect(condition({ k: '5' })).toEqual({ test: 'in', attribute: 'str:k', values: ['5'] });
    expect(condition({ k: true })).toEqual({ test: 'in', attribute: 'bool:k', values: [true] });
    expect(condition({ k: null })).toEqual({ test: 'in', attribute: 'null:k', values: [true] });
  });

  it('asks for the key besides what it must not be', () => {
    const present = { test: 'in', attribute: 'has:k', values: [true] };
    expect(condition({ k: { ne: 'x' } })).toEqual({
      test: 'and',
      conditions: [present, { test: 'not_in', attribute: 'str:k', values: ['x'] }],
    });
    expect(condition({ k: { nin: [] } })).toEqual(present);
  });

  it('parts a list by the types in it', () => {
    expect(condition({ k: { in: ['a', 1, 'b'] } })).toEqual({
      test: 'or',
      conditions: [
        { test: 'in', attribute: 'str:k', values: ['a', 'b'] },
        { test: 'in', attribute: 'num:k', values: [1] },
      ],
    });
  });

  it('makes nothing of empty lists and branches that can hold nothing', () => {
    expect(condition({ k: { in: [] } })).toEqual({ test: 'never' });
    expect(condition({ $or: [] })).toEqual({ test: 'never' });
    expect(condition({ $and: [] })).toEqual({ test: 'always' });
    expect(condition({ a: 1, $or: [] })).toEqual({ test: 'never' });
    expect(condition({ $or: [{ a: 1 }, {}] })).toEqual({ test: 'always' });
  });

  it('treats an empty list of tags as no wish', () => {
    expect(hasEveryTag([])).toEqual({ test: 'always' });
    expect(hasSomeTag([])).toEqual({ test: 'always' });
    expect(hasSomeTag(['a'])).toEqual({ test: 'in', attribute: 'tag:a', values: [true] });
  });

  it('is in normal form, whatever the filter', () => {
    const leaf = fc.oneof(
      fc.constant<JsonObject>({ a: 1 }),
      fc.constant<JsonObject>({ b: { nin: [1, 'x', null] } }),
      fc.constant<JsonObject>({ c: { in: [] } }),
      fc.constant<JsonObject>({ d: { gt: 1, lt: 5 } }),
      fc.constant<JsonObject>({}),
    );
    const { tree } = fc.letrec<{ tree: JsonObject }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.record({ $and: fc.array(tie('tree'), { maxLength: 3 }) }),
        fc.record({ $or: fc.array(tie('tree'), { maxLength: 3 }) }),
      ),
    }));
    const check = (part: RowCondition): void => {
      if (part.test === 'in' || part.test === 'not_in') {
        expect(part.values.length).toBeGreaterThan(0);
        expect(new Set(part.values.map((value) => typeof value)).size).toBe(1);
      }
      if (part.test !== 'and' && part.test !== 'or') return;
      expect(part.conditions.length).toBeGreaterThan(1);
      for (const inner of part.conditions) {
        expect([part.test, 'always', 'never']).not.toContain(inner.test);
        check(inner);
      }
    };
    fc.assert(fc.property(tree, (filter) => check(condition(filter))));
  });
});
