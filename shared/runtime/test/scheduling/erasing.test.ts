import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { startErasing } from '../../src/scheduling/index.ts';

const silent = { info: () => undefined, warn: () => undefined };

/** Starts work that takes 20 ms, and has a turn every two. */
function start(isErased: boolean) {
  let times = 0;
  const erase = async (): Promise<boolean> => {
    times += 1;
    await sleep(20);
    return isErased;
  };
  const end = startErasing(erase, silent, { everyMs: 2, firstMs: 1 });
  const until = async (count: number): Promise<void> => {
    while (times < count) await sleep(1);
  };
  return { end, until, times: () => times };
}

it('asks again at the next turn where there was nothing to erase', async () => {
  const { end, until } = start(false);
  await until(3);
  await end();
});

it('rests a hundred times as long as the last rewriting took', async () => {
  const { end, until, times } = start(true);
  await until(1);
  await sleep(200);
  expect(times()).toBe(1);
  await end();
});
