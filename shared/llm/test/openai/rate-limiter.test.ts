import { describe, expect, it } from '@jest/globals';
import { createRateLimiter, type Verdict } from '../../src/openai/rate-limiter.ts';

/** A clock that runs only while somebody sleeps, and a limiter that lives by it. */
function createWorld(
  options: { readonly concurrency?: number; readonly attempts?: number; readonly patienceMs?: number } = {},
) {
  let time = 0;
  const slept: number[] = [];
  const limiter = createRateLimiter({
    concurrency: 2,
    attempts: 3,
    patienceMs: 60_000,
    ...options,
    sleep: async (ms) => {
      slept.push(ms);
      time += ms;
    },
    random: () => 0,
    now: () => time,
  });
  return { limiter, slept, now: () => time };
}

const fails = (): Verdict => ({ kind: 'fail' });
const failTimes = (count: number) => {
  let tries = 0;
  return async () => {
    tries += 1;
    if (tries <= count) throw new Error(`try ${tries}`);
    return tries;
  };
};

describe('the limiter of an endpoint', () => {
  it('tries again after failures that may pass, waiting longer each time', async () => {
    const { limiter, slept } = createWorld();
    expect(await limiter(failTimes(2), () => ({ kind: 'retry', afterMs: undefined }), undefined)).toBe(3);
    expect(slept).toEqual([500, 1_000]);
  });

  it('gives up after so many tries, and at once when trying again is no use', async () => {
    const { limiter } = createWorld();
    await expect(limiter(failTimes(9), () => ({ kind: 'retry', afterMs: 1 }), undefined)).rejects.toThrow('try 3');
    await expect(limiter(failTimes(9), fails, undefined)).rejects.toThrow('try 1');
  });

  it('waits as long as it was told, and so do the calls next to it', async () => {
    const { limiter, now } = createWorld();
    const busy = (): Verdict => ({ kind: 'busy', afterMs: 7_000 });
    const started: number[] = [];
    const first = limiter(failTimes(1), busy, undefined);
    const others = [1, 2, 3].map(() => limiter(async () => started.push(now()), fails, undefined));
    await Promise.all([first, ...others]);
    expect(started.filter((at) => at > 0 && at < 7_000)).toEqual([]);
    expect(now()).toBeGreaterThanOrEqual(7_000);
  });

  it('is patient with an endpoint that is busy, but not for ever', async () => {
    const { limiter, now } = createWorld();
    const busy = (): Verdict => ({ kind: 'busy', afterMs: 5_000 });
    expect(await limiter(failTimes(10), busy, undefined)).toBe(11);
    await expect(limiter(failTimes(100), busy, undefined)).rejects.toThrow('try');
    expect(now()).toBeLessThanOrEqual(120_000);
  });

  it('makes fewer calls at once when it is refused without being told until when, and more again later', async () => {
    // An endpoint that takes two calls at once and refuses each further one; a tick stands for a tenth of a second.
    const ticks = async (count: number): Promise<void> => {
      for (let tick = 0; tick < count; tick += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const limiter = createRateLimiter({
      concurrency: 8,
      attempts: 3,
      patienceMs: 180_000,
      random: () => 0,
      now: () => 0,
      sleep: (ms) => ticks(ms / 100),
    });
    let [open, refused] = [0, 0];
    const work = async () => {
      if (open >= 2) throw new Error('busy');
      open += 1;
      await ticks(3);
      open -= 1;
    };
    const judge = (): Verdict => {
      refused += 1;
      return { kind: 'busy', afterMs: undefined };
    };
    await Promise.all(Array.from({ length: 200 }, () => limiter(work, judge, undefined)));
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(100);
  });

  it('makes at most so many calls at once', async () => {
    const { limiter } = createWorld({ concurrency: 3 });
    let [open, peak] = [0, 0];
    const work = async () => {
      open += 1;
      peak = Math.max(peak, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => limiter(work, fails, undefined)));
    expect(peak).toBe(3);
  });

  it('does not begin a call that was given up', async () => {
    const { limiter } = createWorld();
    await expect(limiter(async () => 1, fails, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
