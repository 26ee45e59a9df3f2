import { resolve } from 'node:path';
import { readSettings, setting, wholeNumber } from '@contextloom/mcp-kit';
import type { Command } from 'commander';
import { z } from 'zod';
import { AGGREGATOR } from '../aggregator.ts';
import { loadComposition, resolveConfigFile } from '../composition.ts';
import type { CliContext } from '../context.ts';
import { entryFile } from '../installation.ts';
import { readGlobals, refuseUrl, toPort } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import type { ServiceProcess } from '../stack/service-process.ts';
import { createStack, planServices } from '../stack/stack.ts';

interface UpOptions {
  readonly kbPort?: number;
  readonly port: number;
  readonly host: string;
}

const settings = {
  kbPort: setting({
    env: ['KB_PORT'],
    schema: wholeNumber(0, 65_535),
    default: 8000,
    description: 'Port of the knowledge base',
  }),
  kbHost: setting({ env: ['KB_HOST'], schema: z.string(), default: '127.0.0.1', description: 'Its address' }),
};

/** Adds `up`: the knowledge base and the aggregator over HTTP, until the user ends them. */
export function registerUp(program: Command, context: CliContext): void {
  program
    .command('up')
    .description('run the knowledge base and the aggregator over HTTP until Ctrl-C')
    .option('--kb-port <port>', 'port of the knowledge base, 0 for any (default: KB_PORT or 8000)', toPort)
    .option('--port <port>', 'port of the aggregator, 0 for any', toPort, 8010)
    .option(
      '--host <address>',
      'address that the aggregator listens on; the knowledge base stays on KB_HOST',
      '127.0.0.1',
    )
    .addHelpText('after', '\nExample:\n  $ contextloom up --port 9010 --kb-port 9000')
    .action(async (options: UpOptions, command: Command) => {
      refuseUrl(command);
      const globals = readGlobals(command);
      const configFile = resolveConfigFile(context, globals);
      await loadComposition(configFile, context.env);
      const { kbHost, kbPort } = readSettings(settings, context.env).values;
      const plan = { kbHost, kbPort: options.kbPort ?? kbPort, host: options.host, port: options.port, configFile };
      const services = await planServices(plan);
      const stack = createStack({ context, verbose: globals.verbose });
      try {
        const [knowledgeBase, aggregator] = await Promise.all([
          stack.start(services.knowledgeBase),
          stack.start(services.aggregator),
        ]);
        const running = describeRunning(context, { knowledgeBase, aggregator, configFile });
        if (globals.json) printJson(context, running);
        else printRunning(context, running);
        await stack.untilInterrupted();
      } catch (error) {
        // Ctrl-C while a service is still starting is an order like any other.
        if (!context.signal.aborted) throw error;
      } finally {
        await stack.stop();
      }
    });
}

/** Names of a Chroma server's place. The key to it is a secret, which nobody wants on a screen. */
const CHROMA_PLACE = ['CHROMA_URL', 'CHROMA_TENANT', 'CHROMA_DATABASE', 'CHROMA_COLLECTION'];

/** The variables without which a program that a client starts, elsewhere and with few of them, would open another store. */
function toStoreEnv(env: CliContext['env'], cwd: string): Readonly<Record<string, string>> {
  const dataDir = env['KB_DATA_DIR'] ?? '';
  const chroma = CHROMA_PLACE.map((name) => [name, env[name] ?? ''] as const).filter(([, value]) => value !== '');
  return { ...(dataDir !== '' && { KB_DATA_DIR: resolve(cwd, dataDir) }), ...Object.fromEntries(chroma) };
}

interface RunningServices {
  readonly knowledgeBase: ServiceProcess;
  readonly aggregator: ServiceProcess;
  readonly configFile: string;
}

function describeRunning(
  { execPath, env, cwd }: CliContext,
  { knowledgeBase, aggregator, configFile }: RunningServices,
) {
  const url = `${aggregator.url}/mcp`;
  const args = [entryFile(AGGREGATOR, 'server.js'), '--config', configFile];
  const storeEnv = toStoreEnv(env, cwd);
  const stdio = { command: execPath, args, ...(Object.keys(storeEnv).length > 0 && { env: storeEnv }) };
  return {
    knowledge_base: { url: knowledgeBase.url, pid: knowledgeBase.pid },
    aggregator: { url, pid: aggregator.pid },
    client_configuration: {
      http: { mcpServers: { [AGGREGATOR]: { type: 'http', url } } },
      stdio: { mcpServers: { [AGGREGATOR]: stdio } },
    },
  };
}

function printRunning(context: CliContext, running: ReturnType<typeof describeRunning>): void {
  const { style } = outputLook(context);
  const { http, stdio } = running.client_configuration;
  printLines(context, [
    style.strong('Contextloom is running.'),
    '',
    `  aggregator      ${style.accent(running.aggregator.url)}   MCP over streamable HTTP`,
    `  knowledge base  ${style.accent(running.knowledge_base.url)}       REST; ${running.knowledge_base.url}/docs describes it`,
    '',
    style.strong('For the configuration of an MCP client that speaks HTTP:'),
    JSON.stringify(http, null, 2),
    '',
    style.strong('For one that starts its servers itself (this need not be running then):'),
    JSON.stringify(stdio, null, 2),
    '',
    style.faint('Ctrl-C ends both.'),
  ]);
}
