import type { StoreUpkeep } from '@contextloom/contracts';
import { type EmbeddingChoice, openEmbedder } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import { createLazy } from '@contextloom/runtime/scheduling';
import { loadLifetimes, privacySettings, type Runtime, type ServerProgram } from '@contextloom/server-kit';
import { collectDefaultMetrics } from 'prom-client';
import { createProjectMemoryApi, createProjectMemoryServer } from './build-server.ts';
import { checkProjectMemory } from './checks.ts';
import { projectMemoryFlags, projectMemorySettings } from './config.ts';
import { doctor, exportTo, importFrom, move, reembed } from './jobs.ts';
import { createMetrics } from './metrics.ts';
import { type DatabaseChoice, openEngine, openProjectMemory } from './open-project-memory.ts';
import { version } from './version.ts';

/** The upkeep of what keeps the memories; a step of its schema needs the dimensions of the vectors. */
async function toUpkeep(choice: DatabaseChoice & EmbeddingChoice, log: Log): Promise<StoreUpkeep> {
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

const NAME = 'project-memory';
const settings = { ...projectMemorySettings, ...privacySettings };

/** The project memory as a server. */
export function createProjectMemoryProgram(runtime: Runtime): ServerProgram<typeof settings> {
  const toOptions = <C, L>({ config, log }: { readonly config: C; readonly log: L }) => ({
    ...config,
    ...runtime,
    log,
  });
  return {
    name: NAME,
    version,
    summary: 'Contextloom project memory: what agents learned about projects, as an MCP server and a REST API.',
    settings,
    flags: projectMemoryFlags,
    address: ({ host, port }) => ({ host, port }),
    build: async ({ config, flags, log, access }) => {
      // A client that starts a server and asks nothing of it need not wait for a database.
      const toLifetime = await loadLifetimes(config, NAME);
      const opened = createLazy(() => openProjectMemory({ ...toOptions({ config, log }), toLifetime }));
      const metrics = createMetrics(access?.metrics?.registry);
      collectDefaultMetrics({ register: metrics.registry });
      const { ownerId, toolNames, token, embeddingProvider } = config;
      const options = {
        ownerId,
        toolNames,
        isEmbedderLocal: embeddingProvider === 'lexical',
        version,
        log,
        open: async () => metrics.observe((await opened.get()).memory),
      };
      // Behind HTTP there are many clients: what cannot work is reported at the start.
      if (flags['http'] !== undefined) await opened.get();
      return {
        factory: createProjectMemoryServer(options),
        api: createProjectMemoryApi({ ...options, clock: runtime.clock, token, metrics }),
        close: async () => (await opened.current())?.close(),
      };
    },
    jobs: {
      doctor: (job) => doctor(toOptions(job)),
      export: (job) => exportTo(String(job.flags['export']), toOptions(job)),
      import: (job) => importFrom(String(job.flags['import']), toOptions(job)),
      migrate: ({ config, flags, log, catchInterrupt }) =>
        move(String(flags['migrate']), { ...config, log, signal: catchInterrupt() }),
      reembed: (job) => reembed(toOptions(job)),
    },
    stores: async ({ config, log }) => [await toUpkeep(config, log)],
    checks: ({ config, log }) => checkProjectMemory({ ...config, log }),
  };
}
