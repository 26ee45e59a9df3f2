import { findSuperlinear } from '@contextloom/testing/growth';
import { describe, expect, it } from '@jest/globals';
import { isInstruction, maskSecrets } from '../src/index.ts';
import { createMask, maskKinds } from '../src/masks/index.ts';
import { withoutPrivate, withoutPrivateIn } from '../src/private.ts';

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  isInstruction,
  maskSecrets,
  'masks of every kind': createMask({ kinds: maskKinds, expressions: ['(a+)+$', '\\bproject \\w+'] }),
  withoutPrivate,
  withoutPrivateIn,
};

describe('time grows no faster than a text', () => {
  it.each(Object.keys(READERS))('in %s', (name) => {
    expect(findSuperlinear((text) => READERS[name]?.(text))).toEqual([]);
  });
});

describe('maskSecrets', () => {
  it.each(['1', '1 ', '1-', ' ', '-', '(1', '+1 ', 'password is ', '密码'])(
    'gets through a long text of %j',
    (unit) => {
      const text = unit.repeat(200_000 / unit.length);
      expect(maskSecrets(text)).toEqual({ text, masked: [] });
    },
  );
});

describe('isInstruction', () => {
  it.each(['a ', '你', 'ignore ', 'you must ', '请', '<', 'send a ', '\n#', '!['])(
    'gets through a long text of %j',
    (unit) => {
      expect(isInstruction(unit.repeat(10_000))).toBe(false);
    },
  );
});
