import { describe, expect, it } from '@jest/globals';
import { settled, withDeadline } from '../../src/scheduling/index.ts';

const never = new Promise<never>(() => undefined);
const late = (): Error => new Error('late');

describe('a deadline', () => {
  it('leaves the outcome of work that is done in time as it is', async () => {
    expect(await withDeadline(Promise.resolve(1), 60_000, late)).toBe(1);
    await expect(withDeadline(Promise.reject(new Error('failed')), 60_000, late)).rejects.toThrow('failed');
  });

  it('rejects work that is not', async () => {
    const waiting = setTimeout(() => undefined, 60_000); // The deadline alone keeps no process alive.
    await expect(withDeadline(never, 1, late)).rejects.toThrow('late');
    clearTimeout(waiting);
  });
});

describe('waiting for work to settle', () => {
  it('ends with the work, whether it succeeds or fails, or when the time is over', async () => {
    for (const [work, ms] of [
      [Promise.resolve(), 60_000],
      [Promise.reject(new Error('failed')), 60_000],
      [never, 1],
    ] as const) {
      await expect(settled(work, ms)).resolves.toBeUndefined();
    }
  });
});
