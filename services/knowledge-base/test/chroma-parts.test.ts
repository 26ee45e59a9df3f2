import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createGate } from '../src/store/chroma/connection/gate.ts';
import { adoptRow, isWaiting, parseRow, toRow } from '../src/store/chroma/rows/rows.ts';
import { metadata } from './support/filters.ts';

const AT = '2025-01-01T00:00:00.000Z';
const known = { version: 3, created_at: AT, updated_at: AT };
const document = fc.record({
  id: fc.string({ minLength: 1 }),
  content: fc.string(),
  tags: fc.uniqueArray(fc.string({ minLength: 1 })),
  metadata,
});
const read = (row: ReturnType<typeof toRow>) => ({ ...row, text: row.text });

describe('the row of a document', () => {
  it('gives the document back exactly, whatever its metadata are', () => {
    fc.assert(
      fc.property(document, fc.boolean(), (one, waits) => {
        const vector = waits ? null : new Float32Array([1, 2]);
        const row = toRow({ ...one, ...known }, vector, { dimensions: 2 });
        expect(parseRow(read(row))).toEqual({ ...one, ...known });
        expect(isWaiting(read(row))).toBe(waits);
        // Chroma takes nothing else as metadata, and keeps these names for itself.
        for (const [key, value] of Object.entries(row.notes)) {
          expect(['string', 'number', 'boolean']).toContain(typeof value);
          expect(key).not.toMatch(/^(#|chroma:|$)/);
        }
      }),
    );
  });

  it('names the keys that the row before had, and only those', () => {
    fc.assert(
      fc.property(document, document, (one, other) => {
        const before = { ...other, ...known };
        const row = toRow({ ...one, ...known }, new Float32Array(2), { dimensions: 2, before });
        const held = Object.keys(toRow(before, null, { dimensions: 2 }).notes);
        expect(row.lost?.toSorted()).toEqual(held.filter((key) => !Object.hasOwn(row.notes, key)).toSorted());
      }),
    );
  });

  it('of another client is taken in with its tags and keys, and is none without a text or with what is no JSON of ours', () => {
    const row = {
      id: 'a',
      text: 'theirs',
      notes: { user_id: 'ann', 'tag:x': true, 'tag:y': false, n: 1 },
      vector: new Float32Array(),
    };
    const expected = {
      id: 'a',
      content: 'theirs',
      tags: ['x'],
      metadata: { user_id: 'ann', n: 1 },
      version: 1,
      created_at: AT,
      updated_at: AT,
    };
    expect(parseRow(row)).toBeUndefined();
    expect(adoptRow(row, AT)).toEqual(expected);
    expect(adoptRow({ ...row, text: undefined }, AT)).toBeUndefined();
    for (const text of ['{', '[]', '"x"', '{"version":1}', '7']) {
      expect(parseRow({ ...row, notes: { ...row.notes, contextloom: text } })).toBeUndefined();
    }
  });
});

describe('a gate', () => {
  it('lets shared work run side by side, and work alone by itself', async () => {
    const gate = createGate();
    const running = new Set<string>();
    const seen: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      running.add(name);
      seen.push([...running].join(' '));
      await new Promise((resolve) => setImmediate(resolve));
      running.delete(name);
    };
    await Promise.all([
      gate.share(work('a')),
      gate.share(work('b')),
      gate.alone(work('ALONE')),
      gate.share(work('c')),
      gate.alone(() => Promise.reject(new Error('no'))).catch(() => undefined),
      gate.share(work('d')),
    ]);
    expect(seen.filter((names) => names.includes('ALONE'))).toEqual(['ALONE']);
    expect(seen.join(' ')).toMatch(/a b/);
    expect(new Set(seen.join(' ').split(' '))).toEqual(new Set(['a', 'b', 'ALONE', 'c', 'd']));
  });
});
