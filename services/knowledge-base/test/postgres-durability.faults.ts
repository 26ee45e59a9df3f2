import { rm } from 'node:fs/promises';
import { toRounds } from '@contextloom/testing/rounds';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { killAndCheck } from './durability.ts';
import { createDatabase, describeWithPostgres, openPostgresStoreAt, runSql } from './support/postgres-store.ts';
import { makeFolder } from './support/service.ts';
import { everyone, toDocument, toWrites } from './support/stores.ts';

const ROUNDS = toRounds(1, 10);
/** Ends the connections of everybody else to this database; waits a moment first. */
const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity, pg_sleep(0.1)
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

describeWithPostgres('documents in Postgres', (server) => {
  let folder: string;
  beforeEach(async () => {
    folder = await makeFolder();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it(`are all there, none twice, after the service was killed in the middle of 2,000 writes, ${ROUNDS} times`, async () => {
    await killAndCheck({ KB_DATA_DIR: folder, DATABASE_URL: await createDatabase(server()) }, ROUNDS);
  }, 1_200_000);

  it('are all there after the database was killed while they were stored, by a store that goes on', async () => {
    const store = await openPostgresStoreAt(await createDatabase(server()));
    const acknowledged: string[] = [];
    const writes = await toWrites(...Array.from({ length: 400 }, (_, at) => toDocument(`d-${at}`, `number ${at}`)));
    const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };
    for (const [at, write] of writes.entries()) {
      const killing = at === 200 ? server().kill() : undefined;
      const outcome = await store.put([write], times).catch((error: unknown) => error);
      if (Object(outcome).kind === 'stored') acknowledged.push(write.document.id);
      else expect(outcome).toMatchObject({ code: 'unavailable', message: expect.stringContaining('DATABASE_URL') });
      if (killing === undefined) continue;
      await killing;
      await expect(store.put([write], times)).rejects.toMatchObject({ code: 'unavailable' });
      await server().start();
    }
    const held = await store.read(acknowledged, everyone);
    expect(held.map(({ document }) => document.id).sort()).toEqual(acknowledged.sort());
    expect(acknowledged.length).toBeGreaterThan(300);
    await store.close();
  }, 240_000);

  it('are all there, none twice, after four clients stored while their connections were cut again and again', async () => {
    const url = await createDatabase(server());
    const stores = await Promise.all([1, 2, 3, 4].map(() => openPostgresStoreAt(url)));
    const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };
    const acknowledged: string[] = [];
    let [refused, cuts, isDone] = [0, 0, false];
    const storing = stores.map(async (store, client) => {
      for (let at = 0; at < 150; at += 1) {
        const [write] = await toWrites(toDocument(`c-${client}-${at}`, `number ${at} of ${client}`));
        const outcome = await store.put(write === undefined ? [] : [write], times).catch((error: unknown) => error);
        if (Object(outcome).kind === 'stored') acknowledged.push(`c-${client}-${at}`);
        else {
          expect(outcome).toMatchObject({ code: 'unavailable', message: expect.stringContaining('DATABASE_URL') });
          refused += 1;
        }
      }
    });
    const cutting = (async () => {
      while (!isDone) {
        const cut = await runSql(url, CUT);
        cuts += cut.length;
      }
    })();
    await Promise.all(storing);
    isDone = true;
    await cutting;
    // The connections of its pool that the last cuts ended are found out by the next who use them.
    const read = () => stores[0]?.read(acknowledged, everyone);
    const held = (await [1, 2, 3, 4].reduce((found) => found.catch(read), Promise.resolve().then(read))) ?? [];
    expect(held.map(({ document }) => document.id).sort()).toEqual(acknowledged.sort());
    expect(held.every(({ document }) => document.version === 1)).toBe(true);
    expect(acknowledged.length + refused).toBe(600);
    expect(cuts).toBeGreaterThan(20);
    await Promise.all(stores.map((store) => store.close()));
  }, 240_000);
});
