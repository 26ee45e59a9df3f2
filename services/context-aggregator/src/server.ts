import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runServer } from '@contextloom/mcp-kit';
import { flags, loadAggregatorConfig, parseProfile, settings } from './config.ts';
import { openAggregator } from './open-aggregator.ts';
import { SERVICE_NAME } from './operations/deps.ts';
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
    const file = resolve(String(given['config'] ?? config.configFile));
    const ownFile = fileURLToPath(import.meta.url);
    const load = () => loadAggregatorConfig({ env: process.env, file, ownFile });
    const { own, all, close } = await openAggregator({ file, load, log, version });
    return { factory: profile === 'all' ? all : own, at: { all }, close };
  },
});
