import { describe, expect, it } from '@jest/globals';
import { createLazy } from '../../src/scheduling/index.ts';

describe('a lazy value', () => {
  it('is opened once, at its first use', async () => {
    let opened = 0;
    const lazy = createLazy(async () => {
      opened += 1;
      return opened;
    });
    expect(lazy.current()).toBeUndefined();
    expect(await Promise.all([lazy.get(), lazy.get()])).toEqual([1, 1]);
    expect(await lazy.current()).toBe(1);
  });

  it('is opened again by the next call after a failure', async () => {
    let tries = 0;
    const lazy = createLazy(async () => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      return tries;
    });
    await expect(lazy.get()).rejects.toThrow('not yet');
    expect(await lazy.get()).toBe(2);
  });

  it('is opened again once the open value is dropped, and never because of an earlier one', async () => {
    let opened = 0;
    const lazy = createLazy(async () => {
      opened += 1;
      return opened;
    });
    const first = lazy.get();
    lazy.drop(first);
    expect(await lazy.get()).toBe(2);
    lazy.drop(first);
    expect(await lazy.get()).toBe(2);
  });
});
