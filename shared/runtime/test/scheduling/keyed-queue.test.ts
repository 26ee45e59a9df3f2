import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createKeyedQueue } from '../../src/scheduling/index.ts';

describe('a keyed queue', () => {
  it('keeps work on one key apart, lets other work go on, and never waits for itself', async () => {
    const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(keys, { minLength: 1, maxLength: 12 }), async (works) => {
        const queue = createKeyedQueue();
        const held = new Set<string>();
        const run = (mine: readonly string[]) =>
          queue(mine, async () => {
            for (const key of mine) {
              expect(held.has(key)).toBe(false);
              held.add(key);
            }
            await sleep(0);
            for (const key of mine) held.delete(key);
            return mine;
          });
        expect(await Promise.all(works.map(run))).toEqual(works);
      }),
      { numRuns: 50 },
    );
  });

  it('goes on after work that fails', async () => {
    const queue = createKeyedQueue();
    const failing = queue(['a'], () => Promise.reject(new Error('no')));
    const next = queue(['a'], async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  it('runs work on one key in the order of the calls, and work on other keys meanwhile', async () => {
    const queue = createKeyedQueue();
    const done: string[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = queue('a', async () => {
      await gate;
      done.push('first');
    });
    const second = queue('a', async () => done.push('second'));
    await queue('b', async () => done.push('other'));
    release();
    await Promise.all([first, second]);
    expect(done).toEqual(['other', 'first', 'second']);
  });
});
