import type { JsonObject } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import { applyPatch, toDocuments } from '../../src/domain/documents/changes.ts';

const input = (doc_id?: string) => ({ content: 'x', tags: [], metadata: {}, ...(doc_id !== undefined && { doc_id }) });

describe('the ids of new documents', () => {
  it('are the caller’s, or new ones (original fault: a save with doc_id was rejected because id was required)', () => {
    expect(toDocuments([input('mine'), input()], () => 'new').map(({ id }) => id)).toEqual(['mine', 'new']);
  });

  it('may stand once in a batch; both places are named', () => {
    expect(() => toDocuments([input('a'), input('b'), input('a')], () => 'new')).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringMatching(/documents\[0\] and documents\[2\]/) }),
    );
  });
});

describe('a batch', () => {
  it('may have so many tags and metadata keys in all of its documents together', () => {
    const metadata = Object.fromEntries(Array.from({ length: 9_999 }, (_, at) => [`key ${at}`, at]));
    const documents = Array.from({ length: 5 }, () => ({ ...input(), tags: ['one'], metadata }));
    expect(toDocuments(documents, () => String(Math.random()))).toHaveLength(5);
    expect(() => toDocuments([...documents, { ...input(), tags: ['one'] }], () => 'new')).toThrow(
      expect.objectContaining({
        code: 'invalid',
        field: 'documents',
        message: expect.stringContaining('at most 50000'),
      }),
    );
  });
});

describe('a change', () => {
  const before = {
    id: 'a',
    content: 'old',
    tags: ['x'],
    metadata: { keep: 1, change: { deep: 1, more: 2 }, drop: true },
  };

  it('leaves what it does not name', () => {
    expect(applyPatch(before, {})).toEqual(before);
    expect(applyPatch(before, { content: 'new' })).toEqual({ ...before, content: 'new' });
    expect(applyPatch(before, { tags: [] })).toEqual({ ...before, tags: [] });
  });

  it('merges metadata key by key, replaces a key’s value whole, and removes a key given as null', () => {
    const { metadata } = applyPatch(before, {
      metadata: { change: { deep: 2 }, drop: null, added: '新', never: null },
    });
    expect(metadata).toEqual({ keep: 1, change: { deep: 2 }, added: '新' });
  });

  it('sets a key called __proto__ like any other', () => {
    const patch: JsonObject = JSON.parse('{"__proto__": {"polluted": true}}');
    const { metadata } = applyPatch(before, { metadata: patch });
    expect(JSON.stringify(metadata)).toContain('"__proto__":{"polluted":true}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
