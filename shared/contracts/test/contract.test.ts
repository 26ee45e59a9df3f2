import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readOnly } from '../src/contract.ts';

const page = z.object({
  items: z.array(
    z.object({ id: z.string(), kind: z.enum(['a', 'b']), size: z.int(), tags: z.array(z.enum(['x'])).optional() }),
  ),
  total: z.int(),
  next: z.string().optional(),
});

describe('readOnly', () => {
  const schema = readOnly(page, { items: { id: true, kind: true, tags: true }, next: true });

  it('needs the fields that are wanted, and no others', () => {
    expect(schema.parse({ items: [{ id: '1', kind: 'a' }] })).toEqual({ items: [{ id: '1', kind: 'a' }] });
    expect(schema.safeParse({ items: [{ kind: 'a' }] }).success).toBe(false);
    expect(schema.safeParse({ total: 1 }).success).toBe(false);
    expect(schema.safeParse({ items: [], next: 5 }).success).toBe(false);
  });

  it('keeps what else an answer tells', () => {
    const answer = { items: [{ id: '1', kind: 'a', colour: 'red' }], total: 'many' };
    expect(schema.parse(answer)).toEqual(answer);
  });

  it('takes words that a later version adds to an enum', () => {
    const answer = { items: [{ id: '1', kind: 'c', tags: ['x', 'y'] }] };
    expect(schema.parse(answer)).toEqual(answer);
  });

  it('compiles with names of the owner alone', () => {
    // @ts-expect-error: the owner has no field of that name
    const misspelt = () => readOnly(page, { items: { name: true } });
    expect(misspelt).toBeDefined();
    // @ts-expect-error: a field that is renamed is gone from what the reader gets
    const read = (answer: z.output<typeof schema>): unknown => answer.total;
    expect(read(schema.parse({ items: [], total: 3 }))).toBe(3);
  });
});
