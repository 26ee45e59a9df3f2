import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  ContextloomError,
  documentInputSchema,
  findJsonProblem,
  identifier,
  MAX_JSON_DEPTH,
  MAX_JSON_KEY_LENGTH,
  MAX_JSON_TEXT_LENGTH,
  MAX_JSON_VALUES,
  parseInput,
  personaNameSchema,
  processTranscriptRequestSchema,
  searchRequestSchema,
  toFieldName,
  userIdSchema,
  withoutNulls,
} from '../src/index.ts';

const failureOf = (schema: z.ZodType, value: unknown): string => {
  try {
    parseInput(schema, value);
  } catch (error) {
    if (error instanceof ContextloomError) return error.message;
    throw error;
  }
  return 'no failure';
};

describe('identifiers', () => {
  it.each(['alice', '用户-1', 'a b', 'ID:42', '🙂'])('take %j', (id) => {
    expect(parseInput(userIdSchema, id)).toBe(id);
  });

  it.each(['', ' ', '\t', 'a\u0000b', 'a\nb', '\ud800', 'x\udfffy', 'x'.repeat(257)])(
    'refuse %j, which a store could confuse with another',
    (id) => {
      expect(() => parseInput(userIdSchema, id)).toThrow(ContextloomError);
    },
  );

  it('of personas cannot be paths', () => {
    for (const name of ['../etc', 'a/b', '.', '', 'a b', 'é', '_x']) {
      expect(() => parseInput(personaNameSchema, name)).toThrow('must be 1 to 64 letters');
    }
    expect(parseInput(personaNameSchema, 'uozumi')).toBe('uozumi');
  });
});

describe('free-form metadata', () => {
  it('comes through as it came, whatever its keys are called', () => {
    const metadata = JSON.parse('{"__proto__":{"x":1},"a.b":null,"引号\\"":[1,{"c":true}],"constructor":"y"}');
    const { metadata: parsed } = parseInput(documentInputSchema, { content: 'x', metadata });
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(metadata));
  });

  it.each([
    [{ a: { b: [1, Number.NaN] } }, 'metadata.a.b[1] must be a finite number'],
    [{ a: '\ud800' }, 'metadata.a contains a lone surrogate'],
    [[], 'metadata must be an object'],
    ['x', 'metadata must be an object'],
  ])('%j is refused with its place', (metadata, message) => {
    expect(failureOf(documentInputSchema, { content: 'x', metadata })).toBe(message);
  });

  it('may be nested, but not without end', () => {
    const nest = (depth: number): unknown => (depth === 0 ? 1 : { a: nest(depth - 1) });
    expect(findJsonProblem(nest(MAX_JSON_DEPTH))).toBeUndefined();
    expect(findJsonProblem(nest(MAX_JSON_DEPTH + 1))?.message).toContain('deeper than');
  });

  it.each<[string, unknown, unknown]>([
    ['values', Array(MAX_JSON_VALUES - 2).fill(1), Array(MAX_JSON_VALUES - 1).fill(1)],
    ['text', 'x'.repeat(MAX_JSON_TEXT_LENGTH - 1), 'x'.repeat(MAX_JSON_TEXT_LENGTH)],
    ['key', { ['k'.repeat(MAX_JSON_KEY_LENGTH)]: 1 }, { ['k'.repeat(MAX_JSON_KEY_LENGTH + 1)]: 1 }],
  ])('may be large, but not without end: %s', (what, most, more) => {
    expect(findJsonProblem({ a: most })).toBeUndefined();
    const problem = findJsonProblem({ a: more });
    expect(problem?.message).toContain(what);
    expect(problem?.message.length).toBeLessThan(100);
  });
});

describe('errors for bad input', () => {
  it.each([{ query: { length: { toString: 0 } } }, { query: 'x', tags: { length: { valueOf: 1, toString: [] } } }])(
    'take %j for input, though its length is no number',
    (input) => {
      expect(failureOf(searchRequestSchema, input)).toMatch(/must be/);
    },
  );

  it.each([
    [searchRequestSchema, {}, 'query is required (string)'],
    [searchRequestSchema, { query: 'x', top_k: 0 }, 'top_k must be at least 1'],
    [searchRequestSchema, { query: 'x', top_k: 101 }, 'top_k must be at most 100'],
    [searchRequestSchema, { query: 'x', top_k: '5' }, 'top_k must be number, received string'],
    [searchRequestSchema, { query: 'x', tags: ['a', 5] }, 'tags[1] must be string, received number'],
    [searchRequestSchema, 5, 'the input must be object, received number'],
    [documentInputSchema, { content: '  ' }, 'content must not be empty'],
    [processTranscriptRequestSchema, { user_id: '', conversation_history: 'x' }, 'user_id must be 1 to 256 characters'],
    [z.object({ a: z.object({ b: z.enum(['x', 'y']) }) }), { a: { b: 'z' } }, 'a.b must be one of "x", "y"'],
    [z.object({ k: identifier('k') }), {}, 'k is required (string)'],
  ])('name the field and what is allowed', (schema, value, message) => {
    expect(failureOf(schema, value)).toBe(message);
  });

  it('of a union tell of the branch that was meant', () => {
    const error = failureOf(processTranscriptRequestSchema, { user_id: 'u', conversation_history: [{ content: 5 }] });
    expect(error).toBe('conversation_history[0].content must be string, received number');
  });

  it('write paths as callers write them', () => {
    expect(toFieldName(['documents', 3, 'tags', 0])).toBe('documents[3].tags[0]');
  });
});

describe('withoutNulls', () => {
  it('drops nulls of the object itself and of nothing inside it', () => {
    expect(withoutNulls({ a: null, b: { c: null }, d: [null] })).toEqual({ b: { c: null }, d: [null] });
    expect(withoutNulls([null])).toEqual([null]);
    expect(withoutNulls(null)).toBeNull();
  });
});
