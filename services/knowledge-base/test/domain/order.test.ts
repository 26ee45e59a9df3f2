import type { JsonObject } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseCursor, toCursor, toOrder } from '../../src/domain/documents/order.ts';

const stored = (id: string, metadata: JsonObject) => ({
  id,
  content: 'x',
  tags: [],
  metadata,
  created_at: '2024-01-01T00:00:00.000Z',
  updated_at: '2024-01-01T00:00:00.000Z',
  version: 1,
});

describe('the order of a listing', () => {
  it('goes by a numeric importance alone', () => {
    expect(toOrder({ importance: 0 }).importance).toBe(0);
    expect(toOrder({ importance: '9' }).importance).toBeUndefined();
    expect(toOrder({}).importance).toBeUndefined();
  });

  it('goes by when it happened, else by when its writer made it', () => {
    expect(toOrder({ occurred_at: '1970-01-01', created_at: '2024-01-01' }).time).toBe(0);
    expect(toOrder({ occurred_at: 'last spring', created_at: '1970-01-02' }).time).toBe(86_400_000);
    expect(toOrder({ created_at: 5 }).time).toBeUndefined();
  });
});

describe('a cursor', () => {
  it('comes back as the place that it was made of', () => {
    expect(parseCursor(toCursor(stored('文档', { importance: 2.5, occurred_at: '1970-01-01' })))).toEqual({
      importance: 2.5,
      time: 0,
      id: '文档',
    });
    expect(parseCursor(toCursor(stored('a', {})))).toEqual({
      importance: undefined,
      time: Date.UTC(2024, 0, 1),
      id: 'a',
    });
  });

  it('is of one order alone', () => {
    const document = { ...stored('a', {}), updated_at: '2024-03-01T00:00:00.000Z' };
    expect(parseCursor(toCursor(document, 'updated'), 'updated')).toMatchObject({ updatedAt: document.updated_at });
    expect(parseCursor(toCursor(document, 'updated', 7), 'updated')).toMatchObject({ id: 'a', total: 7 });
    expect(parseCursor(toCursor(document, 'relevance', 0))).toMatchObject({ id: 'a', total: 0 });
    for (const [made, read] of [
      ['newest', 'oldest'],
      ['newest', 'relevance'],
      ['relevance', 'updated'],
    ] as const) {
      expect(() => parseCursor(toCursor(document, made), read)).toThrow(expect.objectContaining({ field: 'cursor' }));
    }
  });

  it('is refused when it is anything else', () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const others = [
      [],
      [1, 2],
      [1, 2, 3],
      [null, null, 'a'],
      ['1', 2, 'a'],
      [1, 2, 'a', -4],
      [1, 2, 'a', 4, 5],
      null,
      {},
      5,
    ];
    const refusal = expect.objectContaining({ code: 'invalid', field: 'cursor' });
    for (const text of ['', 'x', '%%%', ...others.map(encode)]) expect(() => parseCursor(text)).toThrow(refusal);
    fc.assert(fc.property(fc.string(), (text) => expect(() => parseCursor(text)).toThrow(refusal)));
  });
});
