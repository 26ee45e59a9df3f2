import { describe, expect, it } from '@jest/globals';
import { createTimeSlices } from '../../src/scheduling/index.ts';

function workFor(milliseconds: number): number {
  const begin = performance.now();
  while (performance.now() - begin < milliseconds);
  return begin;
}

describe('createTimeSlices', () => {
  it('does the first work at once, and all of it in the order in which it came', async () => {
    const run = createTimeSlices(5);
    const done: number[] = [];
    const all = Array.from({ length: 10 }, (_, at) => run(() => done.push(workFor(2) && at)));
    expect(done).toEqual([0, 1, 2].slice(0, done.length));
    expect(done.length).toBeGreaterThan(0);
    await Promise.all(all);
    expect(done).toEqual(Array.from({ length: 10 }, (_, at) => at));
  });

  it('lets the event loop turn between slices', async () => {
    const run = createTimeSlices(5);
    let isDone = false;
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(Array.from({ length: 10 }, () => run(() => workFor(3))));
    isDone = true;
    // Ten times three milliseconds, two of them a slice.
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  it('gives what the work gives, and what it throws, early and late', async () => {
    const run = createTimeSlices(1);
    const fail = () => run(() => Promise.reject(new Error('no')));
    const calls = [run(() => workFor(2) && 'first'), fail(), run(() => 'late')];
    const thrown = run(() => {
      throw new Error('thrown');
    });
    await expect(thrown).rejects.toThrow('thrown');
    expect(await Promise.allSettled(calls)).toEqual([
      { status: 'fulfilled', value: 'first' },
      { status: 'rejected', reason: new Error('no') },
      { status: 'fulfilled', value: 'late' },
    ]);
  });
});
