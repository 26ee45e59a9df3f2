import { findSuperlinear } from '@contextloom/testing/growth';
import { describe, expect, it } from '@jest/globals';
import { isInstruction, maskSecrets } from '../src/index.ts';
import { withoutPrivate, withoutPrivateIn } from '../src/private.ts';

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  isInstruction,
  maskSecrets,
  withoutPrivate,
  withoutPrivateIn,
};

describe('time grows no faster than a text', () => {
  it.each(Object.keys(READERS))('in %s', (name) => {
    expect(findSuperlinear((text) => READERS[name]?.(text))).toEqual([]);
  });
});
