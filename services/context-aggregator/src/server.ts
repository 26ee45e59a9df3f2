import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { openCredentialStore, readEnvFile, readSettings, runServer, withEnvFile } from '@contextloom/mcp-kit';
import { flags, forUser, loadAggregatorConfig, parseProfile, settings } from './config.ts';
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
    // The file next to the composition sets what the environment leaves open, for this process as for those that it starts.
    const known = readSettings(settings, withEnvFile(process.env, readEnvFile(file))).values;
    const { userId = known.userId } = config;
    const load = () => loadAggregatorConfig({ env: forUser(process.env, userId), file, ownFile });
    const credentials = openCredentialStore(known);
    const opening = { file, load, credentials, userId, zone: known.timeZone, log, version };
    const { own, close, ...at } = await openAggregator(opening);
    return { factory: { app: own, ...at }[profile], at, close };
  },
});
