import { randomUUID } from 'node:crypto';
import type { KnowledgeClient } from '@contextloom/contracts';
import { openKnowledgeClient } from '@contextloom/knowledge-client';
import type { Embed } from '@contextloom/mcp-client';
import type { Environment, Log } from '@contextloom/runtime';
import { createLazy } from '@contextloom/runtime/scheduling';
import type { Config } from './config.ts';
import type { TypedMemoryStore } from './domain/typed-memory-store.ts';
import { openMirixStore } from './open-mirix-store.ts';
import type { ToLifetime } from './store/knowledge-base/ends.ts';
import { createKnowledgeBaseStore } from './store/knowledge-base/knowledge-base-store.ts';
import { version } from './version.ts';

/** A knowledge base that is opened when it is first needed; after a failure the next call tries again. */
function createLazyKnowledgeClient(open: () => Promise<KnowledgeClient>): KnowledgeClient {
  const { get, current } = createLazy(open);
  return {
    add: async (documents) => (await get()).add(documents),
    search: async (request) => (await get()).search(request),
    find: async (request) => (await get()).find(request),
    list: async (request) => (await get()).list(request),
    get: async (address) => (await get()).get(address),
    update: async (address, patch) => (await get()).update(address, patch),
    delete: async (address) => (await get()).delete(address),
    stats: async (userId) => (await get()).stats(userId),
    close: async () => (await current())?.close(),
  };
}

/** What finding the store needs. */
export interface OpenStoreOptions {
  readonly config: Config;
  readonly env: Environment;
  readonly log: Log;
  readonly clock: () => Date;
  readonly serverLog?: 'inherit' | 'ignore';
  /** Runs the knowledge base in this process, where that was requested. */
  readonly embed?: Embed | undefined;
  readonly toLifetime?: ToLifetime | undefined;
}

/** Opens the store that the settings name; nothing is started or requested before it is first needed. */
export function openStore({ clock, toLifetime, ...options }: OpenStoreOptions): TypedMemoryStore {
  const { mirixUrl } = options.config;
  if (mirixUrl !== undefined) return openMirixStore(options.config, mirixUrl);
  const client = { name: 'typed-memory', version };
  const open = () => openKnowledgeClient({ ...options, client, newId: randomUUID });
  return createKnowledgeBaseStore({ knowledge: createLazyKnowledgeClient(open), clock, toLifetime });
}
