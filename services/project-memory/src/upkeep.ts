import type { StoreUpkeep } from '@contextloom/contracts';
import { type EmbeddingChoice, openEmbedder } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import { type DatabaseChoice, openEngine } from './open-project-memory.ts';

/** The upkeep of what keeps the memories; a step of its schema needs the dimensions of the vectors. */
export async function toUpkeep(choice: DatabaseChoice & EmbeddingChoice, log: Log): Promise<StoreUpkeep> {
  const store = 'project memory';
  const { databaseUrl: url, dataDir } = choice;
  if (url === undefined) {
    const { toFileUpkeep } = await import('@contextloom/sqlite');
    const { toFile } = await import('./store/sqlite/engine.ts');
    const { migrations } = await import('./store/sqlite/schema.ts');
    return toFileUpkeep({ store, where: toFile(dataDir), migrations });
  }
  const { findVersion } = await import('./store/postgres/schema/prepare-database.ts');
  const { openPgDatabase } = await import('./store/postgres/pg-database.ts');
  const { schemaSteps } = await import('./store/postgres/schema/schema.ts');
  const { host, pathname } = new URL(url);
  return {
    store,
    engine: 'postgres',
    where: `the Postgres database ${host}${pathname}`,
    expected: schemaSteps.length,
    find: async () => {
      const database = openPgDatabase({ url, onLost: () => undefined, connections: 1 });
      return findVersion(database).finally(() => database.close());
    },
    migrate: async () => {
      const { identity } = await openEmbedder(choice);
      const engine = await openEngine(choice, log);
      await engine.prepare({ space: identity, onMismatch: 'refuse' }).finally(() => engine.database.close());
    },
  };
}
