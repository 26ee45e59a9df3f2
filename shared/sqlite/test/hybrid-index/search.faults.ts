import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { expectSameFindings } from './search-property.ts';

it('a hybrid index finds the same in the same order, however much is cached and however many threads read', async () => {
  expect.hasAssertions();
  await expectSameFindings(
    [
      { threads: 0, cacheBytes: 0 },
      { threads: 0, cacheBytes: 700_000 },
      { threads: 0, cacheBytes: 2 ** 24 },
      { threads: 1, threadsFromRows: 0, cacheBytes: 1 },
      { threads: 3, threadsFromRows: 0, cacheBytes: 3_000_000 },
      { threads: 2, threadsFromRows: 100, cacheBytes: 2 ** 25 },
    ],
    { runs: toRounds(10, 150), most: 900 },
  );
});
