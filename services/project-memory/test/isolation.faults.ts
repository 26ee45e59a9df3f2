import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { checkIsolation } from './isolation.ts';
import { openOverTcp } from './support/databases.ts';
import { openStore } from './support/memory.ts';

it('two owners never see each other, in many histories', async () => {
  const opened = await openOverTcp();
  const store = await openStore(opened);
  await checkIsolation(store, toRounds(10, 200));
  expect(await store.inspect()).toMatchObject({ torn: [], broken: [] });
  await opened.close();
}, 600_000);
