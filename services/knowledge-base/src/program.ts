import { createAuthorize } from '@contextloom/access';
import { createHttpKnowledgeBase } from '@contextloom/knowledge-client';
import type { SettingValues } from '@contextloom/runtime';
import { loadLifetimes, privacySettings, type Runtime, type ServerProgram } from '@contextloom/server-kit';
import { createKnowledgeBaseServer } from './build-server.ts';
import { checkKnowledgeBase } from './checks.ts';
import { serverSettings, toOpenToAll } from './config.ts';
import { openLocalKnowledgeBase } from './open-local.ts';
import { engineOf } from './store/index.ts';
import { version } from './version.ts';

const toAuthorize = ({ kbApiKey, ...config }: SettingValues<typeof serverSettings>) =>
  createAuthorize({ ...config, apiKey: kbApiKey });

/** Behind an address, the service there refuses by itself. */
const toOpen = (config: Pick<SettingValues<typeof serverSettings>, 'url' | 'isolation'>) =>
  config.url === undefined ? toOpenToAll(config) : undefined;

const name = 'knowledge-base';
const programSettings = { ...serverSettings, ...privacySettings };

/** The knowledge base as a server. */
export function createKnowledgeBaseProgram({ clock, newId }: Runtime): ServerProgram<typeof programSettings> {
  return {
    name,
    version,
    summary: 'Contextloom knowledge base: an MCP server that keeps documents and finds them again.',
    settings: programSettings,
    openToAll: toOpen,
    build: async ({ config, log }) => {
      const knowledgeBase =
        config.url === undefined
          ? await openLocalKnowledgeBase({
              ...config,
              clock,
              newId,
              log,
              toLifetime: await loadLifetimes(config, name),
            })
          : createHttpKnowledgeBase({ url: config.url, newId, log, authorize: toAuthorize(config) });
      const factory = createKnowledgeBaseServer({ knowledgeBase, openToAll: toOpen(config), version, log });
      return { factory, close: () => knowledgeBase.close() };
    },
    // Behind an address, the service there has them.
    stores: ({ config }) =>
      config.url === undefined ? [engineOf(config)].flatMap((one) => one.upkeep?.(config) ?? []) : [],
    checks: ({ config, log }) => checkKnowledgeBase({ ...config, clock, newId, log, authorize: toAuthorize(config) }),
  };
}
