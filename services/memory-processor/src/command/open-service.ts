import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { commonSettings, createLog, readSettings, setting } from '@contextloom/runtime';
import { type Config, settings } from '../config.ts';
import { createMemoryProcessor } from '../create-memory-processor.ts';
import type { Usage } from '../domain/extractor.ts';
import type { GraphStore } from '../domain/graph-store.ts';
import type { MemoryProcessor } from '../domain/memory-processor.ts';
import type { MemoryStore } from '../domain/memory-store.ts';
import { createReadLater, type ReadLater } from '../imports/read-later.ts';
import { type Databases, openDatabases } from '../open-databases.ts';
import { openGraphStore } from '../open-graph-store.ts';
import { openMemoryStore } from '../open-memory-store.ts';
import { openReaders } from '../open-readers.ts';
import { createGraphPeople } from '../store/graph-people.ts';
import { createLazyGraphStore } from '../store/lazy-graph-store.ts';
import { createLazyMemoryStore } from '../store/lazy-memory-store.ts';

/** A person who runs a command where a composition lies means that one. */
const COMPOSITION_HERE = 'mcp_config.json';

/** A file of years asks more than a service takes in a minute; each wait is a minute at most. */
const RATE_LIMIT_WAITS = 10;

/** What the commands over files work with. */
export interface CommandService {
  readonly values: Config;
  /** Where imports are kept. */
  readonly databases: Databases;
  readonly memories: MemoryStore;
  /** Personal memory, for graphs of other memory programs. */
  readonly graph: GraphStore;
  readonly processor: MemoryProcessor;
  /** Has a server read later what waits for a budget. */
  readonly readLater: ReadLater;
  /** Reaches the knowledge base now. Rejects with `ContextloomError` when there is none, before anything is read. */
  readonly connect: () => Promise<void>;
}

/** What an entry file alone reads. */
export interface CommandRuntime {
  readonly env: NodeJS.ProcessEnv;
  readonly clock: () => Date;
}

/**
 * Opens what the commands over files work with; the knowledge base is reached when it is first needed.
 * @param config the composition that the command line names
 * @param onUsage gets the total use of models, after each answer
 */
export async function openService(
  config: string | undefined,
  { env, clock }: CommandRuntime,
  onUsage?: (spent: Usage) => void,
): Promise<CommandService> {
  const logLevel = setting({ ...commonSettings.logLevel, default: 'error' as const });
  const { values, sources } = readSettings({ ...settings, logLevel }, env);
  const log = createLog({ name: 'memory-processor', level: values.logLevel });
  const isHere = sources.configFile === 'default' && existsSync(COMPOSITION_HERE);
  const configFile = config ?? (isHere ? COMPOSITION_HERE : values.configFile);
  // A server that cannot start says why on its standard error alone.
  let opening: Promise<MemoryStore> | undefined;
  const open = (): Promise<MemoryStore> => {
    opening ??= openMemoryStore({ config: { ...values, configFile }, env, log, rateLimitWaits: RATE_LIMIT_WAITS });
    return opening;
  };
  const memories = createLazyMemoryStore(open);
  const databases = openDatabases({ config: values, clock, newId: randomUUID, log });
  const { extractor, judge } = await openReaders(values, { ...databases, clock, log });
  const graph = createLazyGraphStore(() => openGraphStore({ configFile, env, log }));
  const people = createGraphPeople(graph, log);
  const processor = createMemoryProcessor({ memories, extractor, judge, people, threshold: values.threshold, onUsage });
  const readLater = createReadLater({ add: async (job) => (await databases.openJobs()).add(job) }, randomUUID);
  return { values, databases, memories, graph, processor, readLater, connect: async () => void (await open()) };
}
