import { ContextloomError } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import { createReadiness } from '../../src/domain/sync/readiness.ts';

const progress = () => ({ done: 3, total: 10 });

describe('readiness', () => {
  it('lets calls wait for the work, and the next work for the one before', async () => {
    const { until, wait } = createReadiness({ progress });
    const seen: string[] = [];
    void until(async () => void seen.push('first'));
    void until(async () => void seen.push('second'));
    await wait();
    expect(seen).toEqual(['first', 'second']);
  });

  it('tells a call that waits too long how far the work has come', async () => {
    const { until, wait } = createReadiness({ progress, patienceMs: 1 });
    let finish = (): void => undefined;
    const working = until(() => new Promise<void>((resolve) => (finish = resolve)));
    await expect(wait()).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the index of the workspace is being made, 3 of 10 files are in it: try again in a minute',
    });
    finish();
    await working;
    await expect(wait()).resolves.toBeUndefined();
  });

  it('does work that failed again at the next call, and tells that one of it', async () => {
    const { until, wait } = createReadiness({ progress });
    let tries = 0;
    const work = async () => {
      tries += 1;
      if (tries < 3) throw new ContextloomError('unavailable', 'no disk');
    };
    await expect(until(work)).rejects.toThrow('no disk');
    await expect(wait()).rejects.toThrow('no disk');
    await wait();
    await wait();
    expect(tries).toBe(3);
  });
});
