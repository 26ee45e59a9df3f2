import { isContextloomError } from '@contextloom/contracts';
import { Command, CommanderError, Option } from 'commander';
import { registerArchive } from './commands/archive.ts';
import { registerCompletion } from './commands/completion.ts';
import { registerConfig } from './commands/config.ts';
import { registerConnections } from './commands/connections.ts';
import { registerConsole } from './commands/console.ts';
import { registerCredentials } from './commands/credentials.ts';
import { registerDemo } from './commands/demo.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerExtract } from './commands/extract.ts';
import { registerForget } from './commands/forget.ts';
import { registerHook } from './commands/hook.ts';
import { registerImport, registerImports } from './commands/import.ts';
import { registerInit } from './commands/init.ts';
import { registerKeys } from './commands/keys.ts';
import { registerMemories } from './commands/memories.ts';
import { registerMigrate } from './commands/migrate.ts';
import { registerCorrect, registerRecall } from './commands/one-memory.ts';
import { registerPrompt } from './commands/prompt.ts';
import { registerRemember } from './commands/remember.ts';
import { registerServers } from './commands/servers.ts';
import { registerSetup } from './commands/setup.ts';
import { registerStatus } from './commands/status.ts';
import { registerUp } from './commands/up.ts';
import { registerUsers } from './commands/users.ts';
import { registerWorker } from './commands/worker.ts';
import type { CliContext } from './context.ts';
import { exitCodes, toExitCode } from './exit-codes.ts';
import { isSetUp } from './init/guide.ts';
import { toUrl } from './options.ts';
import { toPlainLine } from './output/text/plain.ts';
import { version } from './version.ts';

const EXAMPLES = `
Servers:
  serve [service] [flags]  MCP over stdio, or over HTTP with --http <port>; what a client starts without any argument
  proxy [flags]            memory for chat programs that take a base URL of OpenAI; its --help shows its flags

Examples:
  $ contextloom demo                                     see it work, with nothing to set up
  $ contextloom init                                     write this server into the configuration of your MCP client
  $ contextloom up                                       run the knowledge base and the aggregator over HTTP
  $ contextloom console                                  open the page of the memory in a browser
  $ contextloom import chats.zip --user ann --me Ann     bring in exports of chat programs, years of them
  $ contextloom extract chat.txt                         see what a conversation would leave, saving nothing
  $ contextloom remember chat.txt --user ann             turn a conversation into memories
  $ contextloom remember "I live in Leith."              remember one sentence
  $ contextloom recall "Where do I live?"                find what answers a question
  $ contextloom correct fact:city Porto                  say what is right instead
  $ contextloom memories --user ann --query "walnuts"    see what is remembered
  $ contextloom prompt marlow "What can I cook?" --user ann
  $ contextloom users                                    see whose memories there are
  $ contextloom export --user ann --out ann.zip          take everything along; import ann.zip --user ann brings it back
  $ contextloom backup everybody.zip                     the same for all users; restore everybody.zip brings them back
  $ contextloom forget --user ann                        count what is stored about a user; --yes erases it
  $ contextloom worker                                   read conversations that were stored as jobs, apart from the servers
  $ contextloom migrate --from sqlite --to postgres      move the documents from a file to the database of DATABASE_URL
  $ contextloom migrate --check                          see whether an update has tables to migrate
  $ contextloom doctor                                   see what is set, from where, and whether it works
  $ contextloom servers add files -- npx -y files-server  let the aggregator reach one more MCP server
  $ contextloom keys add shop-app                        make a key for an application over HTTP
  $ contextloom setup embeddings                         install a model that finds what is meant, on this machine
  $ contextloom serve                                    be the MCP server: the aggregator, and all servers in one process
  $ contextloom serve persona --persona marlow           be one of the servers; its --help shows its flags
  $ contextloom config                                   print what an MCP client needs in its configuration

Exit codes: 0 done, 1 failed (the reason is on standard error), 2 called wrongly.`;

const commands = [
  registerUp,
  registerConsole,
  registerDemo,
  registerPrompt,
  registerImport,
  registerImports,
  registerRemember,
  registerExtract,
  registerMemories,
  registerRecall,
  registerCorrect,
  registerStatus,
  registerDoctor,
  registerConfig,
  registerServers,
  registerKeys,
  registerConnections,
  registerInit,
  registerHook,
  registerUsers,
  registerArchive,
  registerForget,
  registerSetup,
  registerCredentials,
  registerCompletion,
  registerWorker,
  registerMigrate,
];

/** Builds the command line: every command with its options, writing to the context's streams. */
export function createProgram(context: CliContext): Command {
  const program = new Command('contextloom')
    .description(
      'Long memory for AI applications: conversations become memories, memories find their way into prompts.',
    )
    .version(version, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .configureHelp({ showGlobalOptions: true })
    .option('--config <file>', 'composition of MCP servers (default: your own, or that of the installation)')
    .addOption(
      new Option('--url <address>', 'use the aggregator that runs at this address, such as http://127.0.0.1:8010/mcp')
        .argParser(toUrl)
        .conflicts('config'),
    )
    .option('--json', 'print the result as one JSON document', false)
    .option('--verbose', 'show the logs of the servers on standard error', false)
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      getOutHelpWidth: () => context.stdout.columns ?? 100,
      getErrHelpWidth: () => context.stderr.columns ?? 100,
      // What was wrong is reported once, when all is known: see reportUsage.
      outputError: () => undefined,
    });
  for (const register of commands) register(program, context);
  return program;
}

/**
 * Runs one command line and answers the exit code; failures are printed, never thrown.
 * @param argv as in `process.argv`: the first two entries are passed over
 */
export async function runProgram(argv: readonly string[], context: CliContext): Promise<number> {
  const program = createProgram(context);
  try {
    // A person who types the command alone for the first time wants to begin; later, the help.
    const isFirst = argv.length === 2 && context.ask !== undefined && context.machine !== undefined;
    const isBeginning = isFirst && !(await isSetUp(context.machine));
    await program.parseAsync(isBeginning ? [...argv, 'init'] : argv);
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) {
      const code = toExitCode(error);
      if (code === exitCodes.usage) reportUsage(await findMisspelt(error, argv, context), argv, context);
      return code;
    }
    reportFailure(error, context, program.opts<{ json: boolean; verbose: boolean }>());
    return exitCodes.failed;
  }
}

const allOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(allOf)];

/**
 * Commander misses a required option before it looks for unknown ones, so that `--usr` reads as if `--user` had been forgotten. The
 * line is read again with nothing required and nothing to run, and what is wrong with it then comes first.
 */
async function findMisspelt(error: CommanderError, argv: readonly string[], context: CliContext) {
  if (error.code !== 'commander.missingMandatoryOptionValue') return error;
  const program = createProgram(context);
  for (const command of allOf(program)) {
    for (const option of command.options) option.mandatory = false;
    if (command.commands.length === 0) command.action(() => undefined);
  }
  try {
    await program.parseAsync(argv);
  } catch (other) {
    if (other instanceof CommanderError) return other;
    throw other;
  }
  return error;
}

function reportUsage({ message }: CommanderError, argv: readonly string[], { stdout, stderr }: CliContext): void {
  // Without a command, commander has printed the help.
  if (message === '(outputHelp)') return;
  const plain = message.replace(/^error: /u, '');
  if (argv.includes('--json')) {
    const error = { code: 'invalid', message: toPlainLine(plain) };
    stdout.write(`${JSON.stringify({ success: false, error }, null, 2)}\n`);
  }
  stderr.write(`${message}\n(--help shows the usage)\n`);
}

function reportFailure(error: unknown, { stdout, stderr }: CliContext, options: { json: boolean; verbose: boolean }) {
  const known = isContextloomError(error);
  const message =
    known || error instanceof Error ? toPlainLine(error.message) : 'something that is not an error was thrown';
  if (options.json) {
    const code = known ? error.code : 'internal';
    const field = known && error.field !== undefined ? { field: error.field } : {};
    stdout.write(`${JSON.stringify({ success: false, error: { code, message, ...field } }, null, 2)}\n`);
  }
  stderr.write(`contextloom: ${message}\n`);
  if (options.verbose && error instanceof Error) stderr.write(`${error.stack}\n`);
}
