#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { loadLifetimes, privacySettings, runServer } from '@contextloom/server-kit';
import { createKnowledgeBaseApi, createKnowledgeBaseServer } from './build-server.ts';
import { checkKnowledgeBase } from './checks.ts';
import { serviceSettings, toOpenToAll } from './config.ts';
import { rebuildIndex } from './jobs.ts';
import { openLocalKnowledgeBase } from './open-local.ts';
import { engineOf } from './store/index.ts';
import { version } from './version.ts';

const runtime = { clock: () => new Date(), newId: randomUUID };

await runServer({
  process,
  name: 'knowledge-base',
  entry: 'service',
  isHttpOnly: true,
  version,
  summary: 'Contextloom knowledge base: the HTTP service that keeps documents and finds them again.',
  settings: { ...serviceSettings, ...privacySettings },
  flags: {
    'rebuild-index': { type: 'boolean', description: 'Rebuild the index from the stored documents, and end' },
  },
  address: ({ host, port }) => ({ host, port, setBy: 'KB_PORT, KB_HOST' }),
  openToAll: toOpenToAll,
  build: async ({ config, log }) => {
    const knowledgeBase = await openLocalKnowledgeBase({
      ...config,
      ...runtime,
      log,
      toLifetime: await loadLifetimes(config, 'knowledge-base'),
    });
    const options = { knowledgeBase, openToAll: toOpenToAll(config), version, log };
    return {
      factory: createKnowledgeBaseServer(options),
      api: createKnowledgeBaseApi(options),
      about: { store: engineOf(config).describe(config) },
      close: () => knowledgeBase.close(),
    };
  },
  jobs: { 'rebuild-index': ({ config, log }) => rebuildIndex({ ...config, ...runtime, log }) },
  checks: ({ config, log }) =>
    checkKnowledgeBase({ ...config, url: undefined, clock: runtime.clock, newId: randomUUID, log }),
});
