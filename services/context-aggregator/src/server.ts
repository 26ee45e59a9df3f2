import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createLimits, createUpstreams, runServer } from '@contextloom/mcp-kit';
import { createAggregatorGateway } from './build-gateway.ts';
import { createAggregatorServer } from './build-server.ts';
import { flags, loadAggregatorConfig, parseProfile, settings } from './config.ts';
import { SERVICE_NAME } from './operations/deps.ts';
import { checkSources } from './sources/declared/check-sources.ts';
import { version } from './version.ts';

await runServer({
  process,
  name: SERVICE_NAME,
  version,
  summary:
    'Contextloom context aggregator: the single MCP entry to a persona, a knowledge base and a memory processor.',
  settings,
  flags,
  build: async ({ config, flags: given, log }) => {
    const profile = parseProfile(given['profile']);
    const { servers, deadlines, sources, prompts, ownServers, exposures, discovery } = await loadAggregatorConfig({
      env: process.env,
      file: String(given['config'] ?? config.configFile),
      ownFile: fileURLToPath(import.meta.url),
    });
    const client = { servers, limits: createLimits(servers), log, clientName: SERVICE_NAME, clientVersion: version };
    const upstreams = createUpstreams(client);
    const clock = () => new Date();
    const own = createAggregatorServer({
      ...{ upstreams, deadlines, sources, prompts, ownServers },
      ...{ clock, log, version },
    });
    const gateway = createAggregatorGateway({
      ...{ own, upstreams, deadlines, ownServers, exposures, discovery, log, version },
      openFor: (can) => createUpstreams({ ...client, ...can }),
    });
    try {
      await checkSources(sources, { upstreams, timeoutMs: deadlines.sourceMs });
      await gateway.check();
    } catch (error) {
      await Promise.all([gateway.close(), upstreams.close()]);
      throw error;
    }
    const close = async (): Promise<void> => {
      await Promise.all([gateway.close(), upstreams.close()]);
    };
    return { factory: profile === 'all' ? gateway.factory : own, at: { all: gateway.factory }, close };
  },
});
