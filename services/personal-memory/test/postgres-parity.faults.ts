import { createDatabase, describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { toRounds } from '@contextloom/testing/rounds';
import { it } from '@jest/globals';
import fc from 'fast-check';
import { makeFolder, openStore, removeFolder } from './support/memory.ts';
import { changes, compareStores, questions } from './support/parity.ts';
import { openPostgresAt } from './support/postgres.ts';

const SERIES = toRounds(4, 30);

describeWithPostgres('personal memory in Postgres', (server) => {
  it(`tells callers what the file tells them, in ${SERIES} random series of calls`, async () => {
    const series = fc.array(fc.oneof({ weight: 2, arbitrary: changes }, questions), { minLength: 40, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(series, async (calls) => {
        const folder = makeFolder();
        const [file, database] = [openStore(folder), await openPostgresAt(await createDatabase(server()))];
        await compareStores([file, database], calls).finally(async () => {
          await Promise.all([file.close(), database.close()]);
          removeFolder(folder);
        });
      }),
      { numRuns: SERIES, endOnFailure: true },
    );
  }, 1_200_000);
});
