import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ContextloomError, parseInput, userIdSchema } from '@contextloom/contracts';
import { installationRoot } from '@contextloom/mcp-client';
import { type Command, Option } from 'commander';
import type { CliContext } from '../context.ts';
import { clients, type Machine, type McpClient } from '../init/clients.ts';
import { toDifference } from '../init/difference.ts';
import { initHooks } from '../init/init-hooks.ts';
import { toLaunch } from '../init/launch.ts';
import { changeFile, readIfThere, SERVER_NAME, toClientText } from '../init/write-client.ts';
import { readGlobals, refuseAddress, toUserId } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';

const EXAMPLES = `
Examples:
  $ contextloom init                                       asks which client, whose memory, and what the client is offered
  $ contextloom init --client claude-desktop --user ann
  $ contextloom init --client codex --user ann --print     prints what it would write, and writes nothing
  $ contextloom init --client claude-code --hooks          sessions are remembered; --remove-hooks undoes it

Clients: ${clients.map(({ id }) => id).join(', ')}`;

const profiles = ['chat', 'app', 'all'] as const;

interface InitOptions {
  readonly client?: string;
  readonly user?: string;
  readonly profile?: (typeof profiles)[number];
  readonly hooks: boolean;
  readonly removeHooks: boolean;
  readonly print: boolean;
}

/** Adds `init`: writes this server into the configuration of an MCP client. */
export function registerInit(program: Command, context: CliContext): void {
  program
    .command('init')
    .description('write this server into the configuration of an MCP client, and keep a copy of what it was')
    .addOption(new Option('--client <client>', 'the client').choices(clients.map(({ id }) => id)))
    .option('--user <id>', 'whose memory it is', toUserId)
    .addOption(
      new Option(
        '--profile <profile>',
        'chat: memory for a model; app: prompts for an application; all: every tool',
      ).choices(profiles),
    )
    .addOption(
      new Option('--hooks', 'write the hooks instead by which sessions are remembered without being asked')
        .default(false)
        .conflicts(['user', 'profile', 'removeHooks']),
    )
    .addOption(new Option('--remove-hooks', 'take those hooks out again').default(false).conflicts(['user', 'profile']))
    .option('--print', 'print the configuration, and write nothing', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: InitOptions, command: Command) => {
      refuseAddress(command);
      if (options.hooks || options.removeHooks) await initHooks(options, context, readGlobals(command));
      else await init(options, context, readGlobals(command).json);
    });
}

async function init(options: InitOptions, context: CliContext, isJson: boolean): Promise<void> {
  const machine = context.machine ?? fail('the home folder is not known: set HOME');
  const client = await chooseClient(options, context, machine);
  const user = parseInput(userIdSchema, options.user ?? (await askUser(context)), ['--user']);
  // Those who say their client want the usual: a model's memory.
  const profile = options.profile ?? (options.client === undefined ? await askProfile(context) : 'chat');
  const bin = join(installationRoot, 'services', 'cli', 'bin', 'contextloom.js');
  const { platform } = machine;
  const launch = toLaunch({ user, profile }, { platform, execPath: context.execPath, root: installationRoot, bin });
  const entry = client.toEntry(launch);
  const file = client.toFile(machine);
  if (file === undefined) return printForWindow(context, client, entry);
  const before = await readIfThere(file);
  const after = toClientText(before, entry, { client, file });
  const written = options.print || after === before ? undefined : await writeTo(file, entry, client);
  const report = { client: client.id, file, entry, written: written !== undefined, copy: written?.copy ?? null };
  if (isJson) return printJson(context, { success: true, ...report });
  if (options.print) return printLines(context, [after.trimEnd()]);
  const { style } = outputLook(context);
  if (written === undefined) return printLines(context, [`${file} has it already; nothing was changed.`]);
  printLines(context, [
    ...toDifference(before ?? '', after),
    '',
    style.strong(`Written to ${file}.`),
    ...(written.copy === undefined ? [] : [`What it was is kept in ${written.copy}.`]),
    `Start ${client.title} again.`,
  ]);
}

async function writeTo(file: string, entry: Readonly<Record<string, unknown>>, client: McpClient) {
  const copy = await changeFile(file, (text) => toClientText(text, entry, { client, file }));
  return { copy };
}

function printForWindow(context: CliContext, { title }: McpClient, entry: Readonly<Record<string, unknown>>): void {
  context.stderr.write(`${title} keeps its servers itself: paste this where it imports a server from JSON.\n`);
  printJson(context, { mcpServers: { [SERVER_NAME]: entry } });
}

function fail(message: string): never {
  throw new ContextloomError('invalid', message);
}

/** Asks a person. @throws ContextloomError `invalid` where nobody sits at a terminal, naming the option that says it as well */
async function ask({ ask: put }: CliContext, question: string, option: string): Promise<string> {
  if (put === undefined) fail(`there is no terminal to ask on: give ${option}`);
  return (await put(question)).trim();
}

async function chooseClient({ client }: InitOptions, context: CliContext, machine: Machine): Promise<McpClient> {
  const lines = clients.map(
    ({ title, toFile }, at) => `  ${at + 1}  ${title}${isThere(toFile(machine)) ? '  (found)' : ''}`,
  );
  const answer = client ?? (await ask(context, `Which client?\n${lines.join('\n')}\n> `, '--client'));
  const found = clients.find(({ id, title }, at) => [id, title, String(at + 1)].includes(answer));
  return found ?? fail(`there is no client "${answer}"; there are: ${clients.map(({ id }) => id).join(', ')}`);
}

/** Whether a client has been started on this machine: its folder exists. */
const isThere = (file: string | undefined): boolean => file !== undefined && existsSync(dirname(file));

async function askUser(context: CliContext): Promise<string> {
  const usual = context.env['USER'] || context.env['USERNAME'] || 'default';
  return (await ask(context, `Whose memory is it? (${usual}) > `, '--user')) || usual;
}

async function askProfile(context: CliContext): Promise<(typeof profiles)[number]> {
  const question =
    'What is the client offered?\n  chat  a model remembers and recalls by itself\n  app   prompts for an application\n  all   every tool\n(chat) > ';
  const answer = context.ask === undefined ? 'chat' : (await ask(context, question, '--profile')) || 'chat';
  return profiles.find((profile) => profile === answer) ?? fail(`--profile must be one of ${profiles.join(', ')}`);
}
