import { readSettings, setting, wholeNumber } from '@contextloom/runtime';
import type { Command } from 'commander';
import { z } from 'zod';
import { AGGREGATOR } from '../aggregator.ts';
import { toAggregatorEntry } from '../composition/client-config.ts';
import { loadComposition } from '../composition/composition.ts';
import type { CliContext } from '../context.ts';
import { readGlobals, refuseUrl, toPort } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import type { ServiceProcess } from '../stack/service-process.ts';
import { createStack, planServices } from '../stack/stack.ts';

/** Where the two services listen. */
export interface UpOptions {
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

/** Adds the options of where the two services listen. */
export function addUpOptions(command: Command): Command {
  return command
    .option('--kb-port <port>', 'port of the knowledge base, 0 for any (default: KB_PORT or 8000)', toPort)
    .option('--port <port>', 'port of the aggregator, 0 for any', toPort, 8010)
    .option(
      '--host <address>',
      'address that the aggregator listens on; the knowledge base stays on KB_HOST',
      '127.0.0.1',
    );
}

/** Adds `up`: the knowledge base and the aggregator over HTTP, until the user ends them. */
export function registerUp(program: Command, context: CliContext): void {
  addUpOptions(program.command('up'))
    .description('run the knowledge base and the aggregator over HTTP until Ctrl-C')
    .addHelpText('after', '\nExample:\n  $ contextloom up --port 9010 --kb-port 9000')
    .action((options: UpOptions, command: Command) => runServices(context, options, command));
}

/** Runs the two services until Ctrl-C; `onRunning` gets the address of the console. */
export async function runServices(
  context: CliContext,
  options: UpOptions,
  command: Command,
  onRunning: (consoleUrl: URL) => void = () => undefined,
): Promise<void> {
  refuseUrl(command);
  const globals = readGlobals(command);
  const { file: configFile, env } = await loadComposition(context, globals);
  const { kbHost, kbPort } = readSettings(settings, env).values;
  const plan = { kbHost, kbPort: options.kbPort ?? kbPort, host: options.host, port: options.port, configFile };
  const services = await planServices(plan);
  const stack = createStack({ context: { ...context, env }, verbose: globals.verbose });
  try {
    const [knowledgeBase, aggregator] = await Promise.all([
      stack.start(services.knowledgeBase),
      stack.start(services.aggregator),
    ]);
    const running = describeRunning(context, { knowledgeBase, aggregator, configFile });
    if (globals.json) printJson(context, running);
    else printRunning(context, running);
    onRunning(new URL(running.console.url));
    await stack.untilInterrupted();
  } catch (error) {
    // Ctrl-C while a service is still starting is an order like any other.
    if (!context.signal.aborted) throw error;
  } finally {
    await stack.stop();
  }
}

interface RunningServices {
  readonly knowledgeBase: ServiceProcess;
  readonly aggregator: ServiceProcess;
  readonly configFile: string;
}

function describeRunning(context: CliContext, { knowledgeBase, aggregator, configFile }: RunningServices) {
  const url = `${aggregator.url}/mcp`;
  return {
    knowledge_base: { url: knowledgeBase.url, pid: knowledgeBase.pid },
    aggregator: { url, pid: aggregator.pid },
    console: { url: `${aggregator.url}/` },
    client_configuration: {
      http: { mcpServers: { [AGGREGATOR]: { type: 'http', url } } },
      stdio: { mcpServers: { [AGGREGATOR]: toAggregatorEntry(context, configFile) } },
    },
  };
}

function printRunning(context: CliContext, running: ReturnType<typeof describeRunning>): void {
  const { style } = outputLook(context);
  const { http, stdio } = running.client_configuration;
  printLines(context, [
    style.strong('Contextloom is running.'),
    '',
    `  console         ${style.accent(running.console.url)}   the memory in a browser`,
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
