import { describe, expect, it } from '@jest/globals';
import { mapInSlices } from '../../src/scheduling/index.ts';

describe('mapInSlices', () => {
  it('maps each item once, in order, and lets other work come between', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const seen: number[] = [];
    const mapped = await mapInSlices([1, 2, 3, 4, 5], (item) => {
      seen.push(item);
      for (const begin = performance.now(); performance.now() - begin < 3; );
      return 2 * item;
    });
    isDone = true;
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect(mapped).toEqual([2, 4, 6, 8, 10]);
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('rejects with what the mapping throws', async () => {
    const fail = () => {
      throw new Error('no');
    };
    await expect(mapInSlices([1], fail)).rejects.toThrow('no');
  });
});
