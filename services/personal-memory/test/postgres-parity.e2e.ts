import { createDatabase, describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { makeFolder, openStore, removeFolder } from './support/memory.ts';
import { changes, compareStores, questions } from './support/parity.ts';
import { openPostgresAt } from './support/postgres.ts';

const QUESTIONS = 300;

describeWithPostgres('personal memory in Postgres', (server) => {
  it(`answers ${QUESTIONS} questions of three users as the file does, after the same calls`, async () => {
    const folder = makeFolder();
    const [file, database] = [openStore(folder), await openPostgresAt(await createDatabase(server()))];
    const calls = [
      ...fc.sample(changes, { numRuns: 150, seed: 40 }),
      ...fc.sample(questions, { numRuns: QUESTIONS, seed: 41 }),
    ];
    await compareStores([file, database], calls);
    expect((await database.users()).length).toBe(3);
    await Promise.all([file.close(), database.close()]);
    removeFolder(folder);
  }, 300_000);
});
