import { describe, expect, it } from '@jest/globals';
import { untilUncontended } from '../../src/domain/documents/contention.ts';

/** A backoff that waits for nothing and keeps what it was asked to wait for. */
function createRecorder(random: () => number) {
  const pauses: number[] = [];
  const pause = async (ms: number): Promise<void> => void pauses.push(ms);
  return { pauses, backoff: { pause, random } };
}

describe('untilUncontended', () => {
  it('tries once when nothing comes between', async () => {
    const { pauses, backoff } = createRecorder(() => 1);
    expect(await untilUncontended(async () => 'done', backoff)).toBe('done');
    expect(pauses).toEqual([]);
  });

  it('waits between two attempts, longer each time up to a limit', async () => {
    const { pauses, backoff } = createRecorder(() => 1);
    let left = 9;
    const attempt = async () => {
      left -= 1;
      return left > 0 ? 'stale' : left;
    };
    expect(await untilUncontended(attempt, backoff)).toBe(0);
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 400]);
  });

  it('waits for a part of that which chance decides', async () => {
    const parts = [0, 0.5, 0.25];
    let at = 0;
    const { pauses, backoff } = createRecorder(() => parts[at++] ?? 0);
    await untilUncontended(async () => (at < 3 ? 'stale' : at), backoff);
    expect(pauses).toEqual([0, 5, 5]);
  });

  it('ends after thirty attempts', async () => {
    const { pauses, backoff } = createRecorder(() => 0.5);
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      return 'stale' as const;
    };
    expect(await untilUncontended(attempt, backoff)).toBeUndefined();
    expect([attempts, pauses.length]).toEqual([30, 29]);
  });

  it('passes an error on', async () => {
    const { backoff } = createRecorder(() => 0);
    await expect(untilUncontended(() => Promise.reject(new Error('gone')), backoff)).rejects.toThrow('gone');
  });
});
