import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { toStrictJsonSchema, withoutNulls } from '../src/chat/strict-schema.ts';

describe('toStrictJsonSchema', () => {
  it('requires every property, lets optional ones be null, and drops what endpoints refuse', () => {
    const schema = z.object({
      name: z.string().min(1).max(5).describe('whose'),
      rating: z.number().min(1).max(10),
      kind: z.enum(['a', 'b']).optional(),
      list: z.array(z.object({ x: z.int().optional() })).max(3),
    });
    expect(toStrictJsonSchema(schema)).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['name', 'rating', 'kind', 'list'],
      properties: {
        name: { type: 'string', description: 'whose' },
        rating: { type: 'number' },
        kind: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
        list: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['x'],
            properties: { x: { type: ['integer', 'null'] } },
          },
        },
      },
    });
  });
});

describe('withoutNulls', () => {
  it('leaves out properties that are null, at any depth, and keeps list items', () => {
    expect(withoutNulls({ a: null, b: [{ c: null, d: 0 }, null], e: '' })).toEqual({ b: [{ d: 0 }, null], e: '' });
  });
});
