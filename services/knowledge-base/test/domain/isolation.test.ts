import type { JsonObject } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import { refuseNewOwner, toOwner, toVisibility, toVisibilityOf } from '../../src/domain/documents/isolation.ts';
import { toScopedFilter } from '../../src/domain/documents/scope.ts';

const seen = (filter: JsonObject, isolation: 'strict' | 'off' = 'strict') => {
  const visible = toVisibilityOf(toScopedFilter({ metadata_filter: filter }).scope, isolation);
  return visible.kind === 'everyone' ? 'everyone' : [...visible.owners].sort();
};

describe('whose a document is', () => {
  it('says metadata.user_id, and nobody without it', () => {
    expect(toOwner({ user_id: '用户' }, 'strict')).toBe('"用户"');
    expect(toOwner({}, 'strict')).toBe('null');
    expect(toOwner({ user_id: null }, 'strict')).toBe('null');
  });

  it.each([['', 5, true, ' ', 'a\u0000b', ['ann'], { name: 'ann' }, 'x'.repeat(257)]].flat())(
    'is refused as %j, with the field, when users are kept apart',
    (user_id) => {
      const refusal = expect.objectContaining({ code: 'invalid', field: 'documents[2].metadata.user_id' });
      expect(() => toOwner({ user_id: user_id as string }, 'strict', 'documents[2].metadata.user_id')).toThrow(refusal);
    },
  );

  it('is never nobody, and never another user, by what was stored with isolation off', () => {
    const odd = [5, '5', true, 'true', [], {}, '', 'null'].map((user_id) => toOwner({ user_id } as JsonObject, 'off'));
    expect(new Set([...odd, 'null']).size).toBe(odd.length + 1);
  });

  it('is not taken from the prototype of the metadata', () => {
    expect(toOwner(JSON.parse('{"__proto__": {"user_id": "ann"}}'), 'strict')).toBe('null');
  });
});

describe('what a call may see', () => {
  it('is nobody’s documents and those of the users that it names', () => {
    expect(toVisibility('strict', [])).toEqual({ kind: 'owners', owners: ['null'] });
    expect(toVisibility('strict', ['ann', 'ann'])).toEqual({ kind: 'owners', owners: ['null', '"ann"'] });
    expect(toVisibility('off', ['ann'])).toEqual({ kind: 'everyone' });
  });

  it('opens to a user named by eq or in anywhere in the filter', () => {
    expect(seen({ $or: [{ user_id: 'ann' }, { $and: [{ user_id: { $in: ['bob', 5] } }] }] })).toEqual([
      '"ann"',
      '"bob"',
      'null',
    ]);
  });

  it('does not open to a user named by another operator, or under another key', () => {
    expect(seen({ user_id: { ne: 'ann' } })).toEqual(['null']);
    expect(seen({ user_id: { nin: ['ann'] } })).toEqual(['null']);
    expect(seen({ 'metadata.user_id': 'ann', USER_ID: 'ann' })).toEqual(['null']);
    expect(seen({ user_id: 5 })).toEqual([]);
  });

  it('closes to everybody whom the filter rules out', () => {
    expect(seen({ user_id: 'ann' })).toEqual(['"ann"']);
    expect(seen({ user_id: 'ann', $and: [{ user_id: 'bob' }] })).toEqual([]);
    expect(seen({ user_id: null })).toEqual(['null']);
    expect(seen({ user_id: { in: ['ann', null] } })).toEqual(['"ann"', 'null']);
    expect(seen({ user_id: null }, 'off')).toEqual(['null']);
    expect(seen({ user_id: 5 }, 'off')).toEqual(['5']);
    expect(seen({ $or: [{ user_id: 'ann' }, { a: 1 }] }, 'off')).toBe('everyone');
  });
});

describe('a change of the owner', () => {
  const refusal = expect.objectContaining({ code: 'invalid', field: 'metadata.user_id' });

  it('is refused to another user, from nobody to a user, and to nobody', () => {
    expect(() => refuseNewOwner({ user_id: 'ann' }, { user_id: 'bob' }, 'strict')).toThrow(refusal);
    expect(() => refuseNewOwner({}, { user_id: 'bob' }, 'strict')).toThrow(refusal);
    expect(() => refuseNewOwner({ user_id: 'ann' }, {}, 'strict')).toThrow(refusal);
  });

  it('is none when the owner stays, and is allowed with isolation off', () => {
    refuseNewOwner({ user_id: 'ann' }, { user_id: 'ann', a: 1 }, 'strict');
    refuseNewOwner({ user_id: null }, {}, 'strict');
    refuseNewOwner({ user_id: 'ann' }, { user_id: 5 }, 'off');
  });
});
