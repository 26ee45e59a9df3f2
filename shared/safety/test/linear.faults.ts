import { findSuperlinear } from '@contextloom/testing/growth';
import { describe, expect, it } from '@jest/globals';
import { isInstruction, maskSecrets } from '../src/index.ts';

const READERS: Readonly<Record<string, (text: string) => unknown>> = { isInstruction, maskSecrets };

describe('time grows no faster than a text', () => {
  it.each(Object.keys(READERS))('in %s', (name) => {
    expect(findSuperlinear((text) => READERS[name]?.(text))).toEqual([]);
  });
});
