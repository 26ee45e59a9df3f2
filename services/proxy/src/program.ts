import { dirname, join, resolve } from 'node:path';
import { accessSettings, createAuthorize } from '@contextloom/access';
import { createUpstreams, installationRoot, readEnvFile, type ServerEntry, withEnvFile } from '@contextloom/mcp-client';
import { readSettings, type SettingValues } from '@contextloom/runtime';
import { createMcpServer, type ServerProgram } from '@contextloom/server-kit';
import { checkProxy } from './checks.ts';
import { settings } from './config.ts';
import { AGGREGATOR, createChatMemory } from './memory.ts';
import { createProxyApi } from './proxy-api.ts';
import { version } from './version.ts';

/** What the program takes from its process. */
export interface ProxyEdge {
  /** The Node binary that the aggregator is started with. */
  readonly execPath: string;
}

type Config = SettingValues<typeof settings>;
type Environment = Readonly<Record<string, string | undefined>>;

/** The aggregator: the one at an address, or one of its own with all servers in one process. */
function toEntry(config: Config, env: Environment, { execPath }: ProxyEdge): ServerEntry {
  const { aggregatorUrl: url, aggregatorKey: apiKey } = config;
  if (url !== undefined) {
    const { keysFile, houseSecret } = readSettings(accessSettings, env).values;
    return { url, headers: {}, authorize: createAuthorize({ apiKey, keysFile, houseSecret }) };
  }
  const file = resolve(config.configFile);
  const own = Object.entries(withEnvFile(env, readEnvFile(file)));
  return {
    command: execPath,
    args: [join(installationRoot, 'services', 'single-process', 'dist', 'server.js'), '--config', file],
    env: Object.fromEntries(own.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    cwd: dirname(file),
  };
}

/** The proxy as a program that serves HTTP alone. */
export function createProxyProgram(runtime: ProxyEdge): ServerProgram<typeof settings> {
  return {
    name: 'proxy',
    version,
    summary: 'Contextloom proxy: gives any chat program that takes a base URL of OpenAI or Anthropic memory.',
    settings,
    isHttpOnly: true,
    address: ({ host, port }) => ({ host, port, setBy: 'PROXY_PORT, PROXY_HOST' }),
    build: ({ config, env, log }) => {
      const { deadlineMs, placement, providerUrl } = config;
      const upstreams = createUpstreams({
        servers: { [AGGREGATOR]: toEntry(config, env, runtime) },
        clientName: 'contextloom-proxy',
        clientVersion: version,
        log,
        stderr: 'inherit',
      });
      const memory = createChatMemory({ upstreams, deadlineMs, placement, log });
      memory.warmUp();
      return {
        factory: createMcpServer({ name: 'proxy', version, deps: undefined, log }),
        api: createProxyApi({ ...config, memory, log }),
        about: { mcp: undefined, provider: providerUrl },
        close: async () => {
          await memory.close();
          await upstreams.close();
        },
      };
    },
    checks: ({ config, env, log }) => checkProxy({ config, entry: toEntry(config, env, runtime), log }),
  };
}
