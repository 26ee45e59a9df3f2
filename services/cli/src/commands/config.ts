import type { Command } from 'commander';
import { AGGREGATOR } from '../aggregator.ts';
import { type ClientConfiguration, toAggregatorEntry, toServerConfiguration } from '../composition/client-config.ts';
import { loadComposition } from '../composition/composition.ts';
import type { CliContext, GlobalOptions } from '../context.ts';
import { readGlobals } from '../options.ts';
import { printJson } from '../output/print.ts';

const EXAMPLES = `
Examples:
  $ contextloom config                        the aggregator, started by the client
  $ contextloom config persona-uozumi         one server alone, by its name in the composition
  $ contextloom config project-memory         … or by that of its service
  $ contextloom config --url http://127.0.0.1:8010/mcp`;

/** Adds `config`: what to paste into the configuration of an MCP client. */
export function registerConfig(program: Command, context: CliContext): void {
  program
    .command('config')
    .description('print what an MCP client needs in its configuration, with absolute paths')
    .argument('[server]', 'a server of the composition, or its service (default: the aggregator)')
    .addHelpText('after', EXAMPLES)
    .action(async (server: string | undefined, _options: object, command: Command) => {
      const { name, entry, secrets } = await configure(server, context, readGlobals(command));
      printJson(context, { mcpServers: { [name]: entry } });
      if (secrets.length > 0) {
        context.stderr.write(`contextloom: left out, since they are secret: ${secrets.join(', ')}\n`);
      }
    });
}

async function configure(
  server: string | undefined,
  context: CliContext,
  globals: GlobalOptions,
): Promise<ClientConfiguration> {
  const { url } = globals;
  if (url !== undefined) return { name: server ?? AGGREGATOR, entry: { type: 'http', url }, secrets: [] };
  const composition = await loadComposition(context, globals);
  if (server !== undefined) return toServerConfiguration(server, composition, context);
  return { name: AGGREGATOR, entry: toAggregatorEntry(context, composition.file), secrets: [] };
}
