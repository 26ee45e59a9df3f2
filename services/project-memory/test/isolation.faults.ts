import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { checkIsolation } from './isolation.ts';
import { openOverTcp, openPlainPostgres } from './support/databases.ts';
import { openStore } from './support/memory.ts';

it.each([
  ['Postgres', openPlainPostgres],
  ['Postgres with pgvector', openOverTcp],
])(
  'two owners never see each other on %s, in many histories',
  async (_name, open) => {
    const opened = await open();
    const store = await openStore(opened);
    await checkIsolation(store, toRounds(10, 200));
    expect(await store.inspect()).toMatchObject({ torn: [], broken: [] });
    await opened.close();
  },
  600_000,
);
