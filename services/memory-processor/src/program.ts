import { join } from 'node:path';
import type { Runtime, ServerProgram } from '@contextloom/server-kit';
import { createMemoryProcessorServer } from './build-server.ts';
import { checkMemoryProcessor } from './checks.ts';
import { flags, parseWorkers, settings } from './config.ts';
import { createMemoryProcessor } from './create-memory-processor.ts';
import { createImportService } from './imports/import-service.ts';
import { createReadLater } from './imports/read-later.ts';
import { createUploads } from './imports/uploads.ts';
import { addJobMetrics } from './jobs/job-metrics.ts';
import { type Databases, openDatabases, toUpkeeps } from './open-databases.ts';
import { openGraphStore } from './open-graph-store.ts';
import { openJobs } from './open-jobs.ts';
import { openMemoryStore } from './open-memory-store.ts';
import { openReaders } from './open-readers.ts';
import { createGraphPeople } from './store/graph-people.ts';
import { createLazyGraphStore } from './store/lazy-graph-store.ts';
import { createLazyMemoryStore } from './store/lazy-memory-store.ts';
import { version } from './version.ts';
import { workOnJobs } from './work-on-jobs.ts';

/** Each wait is a minute at most. */
const RATE_LIMIT_WAITS = 10;

/** Forgets a user's imports; none are made for the question. */
const forgetImports = async ({ hasImports, openImports }: Databases, userId: string, isDryRun: boolean) =>
  hasImports() ? (await openImports()).journal.forget(userId, isDryRun) : { erased: [], unreached: [] };

/** The memory processor as a server. */
export const createMemoryProcessorProgram = ({ clock, newId }: Runtime): ServerProgram<typeof settings> => ({
  name: 'memory-processor',
  version,
  summary: 'Contextloom memory processor: conversations to rated memories.',
  settings,
  flags,
  build: async ({ config, flags: given, env, log, embed, access }) => {
    const configFile = String(given['config'] ?? config.configFile);
    const storing = { config: { ...config, configFile }, env, log, embed };
    const memories = createLazyMemoryStore(() => openMemoryStore(storing));
    // An import asks a service over HTTP for more than it takes in a minute, and waits. A composition's own server has no such limit.
    const isOverHttp = config.kbUrl !== undefined || config.kbHost !== undefined;
    const patient = isOverHttp
      ? createLazyMemoryStore(() => openMemoryStore({ ...storing, rateLimitWaits: RATE_LIMIT_WAITS }))
      : memories;
    const databases = openDatabases({ config, clock, newId, log });
    const { noteReader, budget, callingClient, ...readers } = await openReaders(config, { ...databases, clock, log });
    const { threshold, dataDir } = config;
    const graph = createLazyGraphStore(() => openGraphStore({ configFile, env, log }));
    const recording = { ...readers, people: createGraphPeople(graph, log), threshold };
    const processor = createMemoryProcessor({ memories, ...recording });
    const patiently = isOverHttp ? createMemoryProcessor({ memories: patient, ...recording }) : processor;
    // A server that only reads adds no memories, nor those that others have requested.
    const concurrency = given['read-only'] === true ? 0 : config.jobConcurrency;
    const jobs = openJobs({
      databases,
      config,
      concurrency,
      processor: patiently,
      memories: patient,
      graph,
      budget,
      clock,
      newId,
      log,
    });
    if (access?.metrics !== undefined) await addJobMetrics(access.metrics.registry, jobs.queue.count);
    const imports = createImportService({
      memories: patient,
      graph,
      clock,
      log,
      processor: patiently,
      uploads: createUploads({ folder: join(dataDir, 'uploads'), newId }),
      readLater: createReadLater(jobs.queue, newId),
      ...databases,
    });
    return {
      factory: createMemoryProcessorServer({
        processor,
        noteReader,
        imports,
        jobs: jobs.queue,
        budget,
        callingClient,
        clock,
        newId,
        undatedTurns: config.undatedTurns,
        version,
        log,
        forget: async (userId, isDryRun) => {
          const files = await imports.forget(userId, isDryRun);
          const { erased, unreached } = await forgetImports(databases, userId, isDryRun);
          const ofJobs = await jobs.queue.forget(userId, isDryRun);
          return {
            erased: [...erased, { what: 'files handed in', count: files }, ...ofJobs.erased],
            unreached: [...unreached, ...ofJobs.unreached],
          };
        },
      }),
      close: async () => {
        await Promise.all([imports.close(), jobs.close()]);
        await databases.close();
        await graph.close();
        await patient.close();
        await memories.close();
      },
    };
  },
  jobs: {
    worker: ({ flags: given, config, ...context }) =>
      workOnJobs({
        ...context,
        flags: given,
        config: { ...config, configFile: String(given['config'] ?? config.configFile) },
        concurrency: parseWorkers(given['worker']),
        clock,
        newId,
      }),
  },
  stores: ({ config }) => toUpkeeps(config),
  checks: ({ config, flags: given, env, log }) =>
    checkMemoryProcessor({
      config: { ...config, configFile: String(given['config'] ?? config.configFile) },
      env,
      log,
    }),
});
