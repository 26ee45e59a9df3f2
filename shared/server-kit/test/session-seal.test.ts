import { describe, expect, it } from '@jest/globals';
import { createSessionSeal } from '../src/http/session-seal.ts';

const SECRET = 'a secret of at least thirty-two characters';
const params = { protocolVersion: '2025-11-25', capabilities: {} };
const session = { params, begunAt: 1_000 };

describe('the id of a sealed session', () => {
  const seal = createSessionSeal(SECRET, () => 1_000);
  const id = seal.seal(params, 'ann') ?? '';

  it('says what the session began with, to whoever knows the secret, and is text for a header', () => {
    expect(createSessionSeal(SECRET, () => 3_000).open(id, 'ann')).toEqual(session);
    expect(id).toMatch(/^[\x21-\x7e]+$/);
    expect(Buffer.from(id, 'base64url').toString('latin1')).not.toContain('2025');
    expect(seal.seal(params, 'ann')).not.toBe(id);
  });

  it('is good for nobody else, nor under another secret, nor when it is too old', () => {
    expect(seal.open(id, 'bob')).toBeUndefined();
    expect(createSessionSeal(`${SECRET}!`).open(id, 'ann')).toBeUndefined();
    const at = (days: number) => createSessionSeal(SECRET, () => 1_000 + days * 86_400_000).open(id, 'ann');
    expect(at(7)).toEqual(session);
    expect(at(7.1)).toBeUndefined();
  });

  it('is good for nothing with any one character changed, cut or added', () => {
    for (let at = 0; at < id.length; at += 1) {
      const other = id[at] === 'A' ? 'B' : 'A';
      expect(seal.open(`${id.slice(0, at)}${other}${id.slice(at + 1)}`, 'ann')).toBeUndefined();
      expect(seal.open(id.slice(0, at), 'ann')).toBeUndefined();
    }
    for (const more of ['A', '=', ' ', '\n', '%']) expect(seal.open(`${id}${more}`, 'ann')).toBeUndefined();
  });

  it('is not made of a handshake that is too long for a header', () => {
    expect(seal.seal({ icons: 'x'.repeat(5_000) }, 'ann')).toBeUndefined();
  });
});
