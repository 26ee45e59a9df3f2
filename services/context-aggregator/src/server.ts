import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createUpstreams, runServer } from '@contextloom/mcp-kit';
import { createAggregatorServer } from './build-server.ts';
import { flags, loadAggregatorConfig, settings } from './config.ts';
import { SERVICE_NAME } from './operations/deps.ts';
import { checkSources } from './sources/check-sources.ts';
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
    const { servers, deadlines, sources, prompts, ownServers } = await loadAggregatorConfig({
      env: process.env,
      file: String(given['config'] ?? config.configFile),
      ownFile: fileURLToPath(import.meta.url),
    });
    const upstreams = createUpstreams({ servers, log, clientName: SERVICE_NAME, clientVersion: version });
    const clock = () => new Date();
    const factory = createAggregatorServer({
      ...{ upstreams, deadlines, sources, prompts, ownServers },
      ...{ clock, log, version },
    });
    try {
      await checkSources(sources, { upstreams, timeoutMs: deadlines.sourceMs });
    } catch (error) {
      await upstreams.close();
      throw error;
    }
    return { factory, close: () => upstreams.close() };
  },
});
