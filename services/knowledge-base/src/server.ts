#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { createHttpKnowledgeBase } from '@contextloom/knowledge-client';
import { createAuthorize, runServer, type SettingValues } from '@contextloom/mcp-kit';
import { createKnowledgeBaseServer } from './build-server.ts';
import { checkKnowledgeBase } from './checks.ts';
import { serverSettings, toOpenToAll } from './config.ts';
import { openLocalKnowledgeBase } from './open-local.ts';
import { version } from './version.ts';

const toAuthorize = ({ kbApiKey, ...config }: SettingValues<typeof serverSettings>) =>
  createAuthorize({ ...config, apiKey: kbApiKey });

/** Behind an address, the service there refuses by itself. */
const toOpen = (config: Pick<SettingValues<typeof serverSettings>, 'url' | 'isolation'>) =>
  config.url === undefined ? toOpenToAll(config) : undefined;

await runServer({
  process,
  name: 'knowledge-base',
  version,
  summary: 'Contextloom knowledge base: an MCP server that keeps documents and finds them again.',
  settings: serverSettings,
  openToAll: toOpen,
  build: async ({ config, log }) => {
    const knowledgeBase =
      config.url === undefined
        ? await openLocalKnowledgeBase({ ...config, clock: () => new Date(), newId: randomUUID, log })
        : createHttpKnowledgeBase({ url: config.url, newId: randomUUID, log, authorize: toAuthorize(config) });
    const factory = createKnowledgeBaseServer({ knowledgeBase, openToAll: toOpen(config), version, log });
    return { factory, close: () => knowledgeBase.close() };
  },
  checks: ({ config, log }) =>
    checkKnowledgeBase({ ...config, newId: randomUUID, log, authorize: toAuthorize(config) }),
});
