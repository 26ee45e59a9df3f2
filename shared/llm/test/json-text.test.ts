import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findJson, findWholeParts } from '../src/chat/json-text.ts';

describe('findJson', () => {
  it.each([
    ['bare JSON', '{"a":1}', { a: 1 }],
    ['a list', ' [1,2]\n', [1, 2]],
    ['a code fence', '```json\n{"a":1}\n```', { a: 1 }],
    ['prose around it', 'Here you are:\n{"a":{"b":"}"}}\nHope this helps!', { a: { b: '}' } }],
    ['Chinese prose around it', '好的，结果如下：{"内容":"小明住在成都"}。', { 内容: '小明住在成都' }],
    ['reasoning that holds braces', '<think>maybe {"a":0}?</think>{"a":1}', { a: 1 }],
    ['an example before the answer', 'Like {"x":1}, so: {"a":[{"b":2},{"b":3}]}', { a: [{ b: 2 }, { b: 3 }] }],
    ['an answer inside of reasoning', '<think>{"a":1}</think>', { a: 1 }],
    ['keys without quotes', '{a:1}', { a: 1 }],
    ['single quotes, trailing commas and None', "{'a': [1, 2,], 'b': None,}", { a: [1, 2], b: null }],
    ['a line end in a string', '{"a":"one\ntwo"}', { a: 'one\ntwo' }],
    ['punctuation of Chinese', '{"a"："一：二，\\"三"，"b":[1、+2]}', { a: '一：二，"三', b: [1, 2] }],
    ['a numbered list', '1. {"a":1}\n2. {"a":2}', [{ a: 1 }, { a: 2 }]],
    ['an object a line', '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    [
      'right JSON with a brace in a string, and prose after it',
      '{"":{"":"{0"}," ":false} #',
      { '': { '': '{0' }, ' ': false },
    ],
    ['an escaped quote', 'x {"a":"say \\"}\\""} y', { a: 'say "}"' }],
  ])('finds %s', (_name, text, value) => {
    expect(findJson(text)).toEqual({ value });
  });

  it.each(['', 'no JSON', '{"a":1', '}{', '"'])('finds nothing in %j', (text) => {
    expect(findJson(text)).toBeUndefined();
  });

  it('finds any object in prose without braces', () => {
    const prose = fc.string().map((text) => text.replace(/[[\]{}"<]/g, ''));
    fc.assert(
      fc.property(prose, fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), prose, (before, value, after) => {
        const wanted = JSON.parse(JSON.stringify(value)) as unknown;
        expect(findJson(`${before} ${JSON.stringify(value)} ${after}`)).toEqual({ value: wanted });
      }),
    );
  });

  it.each([
    ['closed', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['around a mistake', `${'['.repeat(100_000)}?${']'.repeat(100_000)}`],
    ['of objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('finds nothing too deep in 100,000 nested brackets, %s', (_name, text) => {
    expect(JSON.stringify(findJson(text)) ?? '').toHaveLength(0);
  });

  it('gives up on a megabyte of opening braces', () => {
    expect(findJson('{'.repeat(1_000_000))).toBeUndefined();
  });
});

describe('what is whole of JSON that was cut off', () => {
  it.each([
    ['inside of an object', '{"memories": [{"a": "x"}, {"a": "y", "tags": ["t"], "ev', { memories: [{ a: 'x' }] }],
    ['inside of a string with a bracket', '[{"a": "}]"}, {"a": "}', [{ a: '}]' }]],
    ['after prose', 'Here: ```json\n{"m": {"n": [{"a": {"b": 1}}, {"a', { m: { n: [{ a: { b: 1 } }] } }],
  ])('%s', (_name, text, value) => {
    expect(findWholeParts(text)).toEqual({ value });
  });

  it.each(['', 'word', '{"a": 1', '[1, 2', '{"memories": [{"a": "x', '['.repeat(100_000)])(
    'is nothing of %.20j',
    (text) => {
      expect(findWholeParts(text)).toBeUndefined();
    },
  );

  it('is what was written before the cut, wherever that is', () => {
    const text = JSON.stringify({ memories: [1, 2, 3].map((n) => ({ content: `"{[${n}`, tags: ['a', `]${n}`] })) });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length - 1 }), (end) => {
        const part = findWholeParts(text.slice(0, end))?.value as { memories: readonly unknown[] } | undefined;
        const whole = (text.slice(0, end).match(/\},|\}\]/gu) ?? []).length;
        expect(part?.memories.length ?? 0).toBeGreaterThanOrEqual(whole);
        for (const one of part?.memories ?? []) expect(one).toMatchObject({ tags: ['a', expect.any(String)] });
      }),
    );
  });
});
