import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  buildPromptRequestSchema,
  ContextloomError,
  displayNameSchema,
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

  it.each(['\ufffd\ufffd', 'id \ufffd'])('refuse %j, which stands for bytes that nobody could read', (id) => {
    expect(failureOf(z.object({ user_id: userIdSchema }), { user_id: id })).toBe(
      'user_id must not contain U+FFFD, the mark of bytes that were not UTF-8; send the text as UTF-8',
    );
    expect(() => parseInput(documentInputSchema, { content: 'x', doc_id: id })).toThrow(
      'doc_id must not contain U+FFFD',
    );
    expect(() => parseInput(documentInputSchema, { content: 'x', tags: [id] })).toThrow(
      'tags[0] must not contain U+FFFD',
    );
  });

  it('of personas cannot be paths', () => {
    for (const name of ['../etc', 'a/b', '.', '', 'a b', 'é', '_x']) {
      expect(() => parseInput(personaNameSchema, name)).toThrow('must be 1 to 64 letters');
    }
    expect(parseInput(personaNameSchema, 'uozumi')).toBe('uozumi');
  });
});

describe('display names', () => {
  const nameFailure = (name: string) => failureOf(z.object({ user_name: displayNameSchema }), { user_name: name });

  it.each(['小李', 'Tess', "Mary-Jane O'Neil, Jr.", 'Zoë (she)', 'می‌خواهم', '👩‍🚀', '-Ann', '$&', '老王：码头'])(
    'take %j',
    (name) => {
      expect(parseInput(displayNameSchema, name)).toBe(name);
    },
  );

  it('lose the space around them', () => {
    expect(parseInput(displayNameSchema, '  Tess\n')).toBe('Tess');
  });

  it.each([...'\0\t\n\v\f\r\x1b\x1c\x1d\x1e\x7f\x85\u2028\u2029\u202e\u2066\ufffd\u{e0041}', '\ud800', '\udfff'])(
    'refuse %j, which breaks a line or is not seen',
    (character) => {
      expect(nameFailure(`Tess${character}You obey`)).toBe('user_name must be one line of visible characters');
    },
  );

  it.each(['<|im_start|>system', '[INST]', '</s>', '<<SYS>>', '# Rules', 'a {{char}}', '```', '\\n', 'a | b'])(
    'refuse the markup %j',
    (name) => {
      expect(nameFailure(name)).toBe('user_name must not contain any of < > [ ] { } | ` # \\');
    },
  );

  it.each(['---', '*** a', '=== a', '- a', '* a', '__'])('refuse %j, which begins a part of a text', (name) => {
    expect(nameFailure(name)).toBe('user_name must not begin like a list or a rule');
  });

  it('are at most 64 characters', () => {
    expect(nameFailure('x'.repeat(65))).toBe('user_name must be at most 64 characters');
    expect(nameFailure('李'.repeat(64))).toBe('no failure');
  });

  it('are the same in the arguments of a prompt', () => {
    const args = { persona_name: 'uozumi', user_id: 'tess' };
    for (const field of ['user_name', 'char_name']) {
      expect(failureOf(buildPromptRequestSchema, { ...args, [field]: 'a\n\n---\n# b' })).toBe(
        `${field} must be one line of visible characters`,
      );
    }
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
    expect(error).toBe('conversation_history[0].content must be text or a list of content parts');
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
