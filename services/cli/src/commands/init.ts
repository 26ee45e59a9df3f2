import { join } from 'node:path';
import { ContextloomError, isContextloomError, parseInput, userIdSchema } from '@contextloom/contracts';
import { installationRoot } from '@contextloom/mcp-client';
import { type Command, Option } from 'commander';
import type { CliContext, GlobalOptions } from '../context.ts';
import { isHookClient } from '../hooks/clients.ts';
import { clients, type McpClient } from '../init/clients.ts';
import { toDifference } from '../init/difference.ts';
import {
  askClient,
  askTimeZone,
  askUser,
  askYes,
  checkTimeZone,
  findClient,
  machineZone,
  type Profile,
  profiles,
} from '../init/guide.ts';
import { initHooks } from '../init/init-hooks.ts';
import { initRemove } from '../init/init-remove.ts';
import { toLaunch } from '../init/launch.ts';
import { changeFile, readIfThere, SERVER_NAME, toClientText } from '../init/write-client.ts';
import { readGlobals, refuseAddress, toUserId } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';

const EXAMPLES = `
Examples:
  $ contextloom init                                       asks which client, whose memory, which time zone, and does the rest
  $ contextloom init --client claude-desktop --user ann
  $ contextloom init --client codex --user ann --print     prints what it would write, and writes nothing
  $ contextloom init --client claude-code --hooks          sessions are remembered; --remove-hooks undoes it
  $ contextloom init --client claude-code --remove         shows how the server and the hooks would go; --yes takes them out

Clients: ${clients.map(({ id }) => id).join(', ')}`;

interface InitOptions {
  readonly client?: string;
  readonly user?: string;
  readonly profile?: Profile;
  readonly timezone?: string;
  readonly hooks: boolean;
  readonly removeHooks: boolean;
  readonly eachQuestion: boolean;
  readonly remove: boolean;
  readonly yes: boolean;
  readonly print: boolean;
}

/** Adds `init`: writes this server into the configuration of an MCP client. */
export function registerInit(program: Command, context: CliContext): void {
  const command = program
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
    .option(
      '--timezone <zone>',
      "where the user's days begin, such as Asia/Shanghai (default: that of this machine)",
      checkTimeZone,
    )
    .option('--print', 'print the configuration, and write nothing', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: InitOptions, command: Command) => {
      refuseAddress(command);
      const globals = readGlobals(command);
      if (options.remove) return remove(options, context, globals.json);
      if (options.yes) throw new ContextloomError('invalid', '--yes goes with --remove', { field: '--yes' });
      if (options.eachQuestion && !options.hooks)
        throw new ContextloomError('invalid', '--each-question goes with --hooks', { field: '--each-question' });
      if (options.hooks || options.removeHooks) return initHooks(options, context, globals);
      const isGuided = options.client === undefined && context.ask !== undefined && !globals.json && !options.print;
      await (isGuided
        ? guide(options, { context, globals, command })
        : init(await complete(options, context), context, globals.json));
    });
  addHookOptions(command);
}

/** The hooks, and the way back. */
function addHookOptions(command: Command): void {
  command
    .addOption(
      new Option('--hooks', 'write the hooks instead by which sessions are remembered without being asked')
        .default(false)
        .conflicts(['user', 'profile', 'timezone', 'removeHooks']),
    )
    .addOption(
      new Option('--remove-hooks', 'take those hooks out again')
        .default(false)
        .conflicts(['user', 'profile', 'timezone']),
    )
    .addOption(
      new Option('--remove', 'take the server and the hooks out again, and what others wrote stays; with --yes')
        .default(false)
        .conflicts(['user', 'profile', 'timezone', 'hooks', 'removeHooks', 'print']),
    )
    .option('--each-question', 'with --hooks: what surely answers a question is added to it; off without', false)
    .option('--yes', 'with --remove: do it; without it nothing is changed', false);
}

async function remove({ client, yes }: InitOptions, context: CliContext, isJson: boolean): Promise<void> {
  const chosen = client === undefined ? await askClient(context, toMachine(context)) : findClient(client);
  await initRemove({ client: chosen, yes }, context, isJson);
}

/** All that the server of a client is written with. */
interface Choice {
  readonly client: McpClient;
  readonly user: string;
  readonly profile: Profile;
  /** Settings of the server. */
  readonly env: Readonly<Record<string, string>>;
  readonly print: boolean;
}

async function complete(options: InitOptions, context: CliContext): Promise<Choice> {
  const client =
    options.client === undefined ? await askClient(context, toMachine(context)) : findClient(options.client);
  const user = parseInput(userIdSchema, options.user ?? (await askUser(context)), ['--user']);
  const env = { TIMEZONE: options.timezone ?? (context.env['TIMEZONE'] || machineZone()) };
  return { client, user, profile: options.profile ?? 'chat', env, print: options.print };
}

const toMachine = ({ machine }: CliContext) => machine ?? fail('the home folder is not known: set HOME');

/** The first minute of a person at a terminal: one client with its server, its hooks and a model, and the page. */
async function guide(
  options: InitOptions,
  {
    context,
    globals,
    command,
  }: { readonly context: CliContext; readonly globals: GlobalOptions; readonly command: Command },
): Promise<void> {
  const client = await askClient(context, toMachine(context));
  const user = options.user ?? (await askUser(context));
  const timezone = options.timezone ?? (await askTimeZone(context));
  const hasHooks = isHookClient(client.id) && (await askYes(context, HOOKS, true));
  const hasModel = (await askYes(context, MODEL, false)) && (await hasInstalledModel(context, command));
  const choice = await complete({ ...options, client: client.id, user, timezone }, context);
  await init({ ...choice, env: { ...choice.env, ...(hasModel && LOCAL_MODEL) } }, context, false);
  if (hasHooks) await initHooks({ client: client.id, removeHooks: false, print: false }, context, globals);
  printLines(context, ['', ...FIRST_WORDS]);
  if (await askYes(context, 'Open the page of your memory? It runs until Ctrl-C.', false)) {
    await command.parent?.parseAsync(['console'], { from: 'user' });
  }
}

/** Memories are found by their words without it: whoever cannot fetch it goes on. */
async function hasInstalledModel(context: CliContext, command: Command): Promise<boolean> {
  try {
    await command.parent?.parseAsync(['setup', 'embeddings'], { from: 'user' });
    return true;
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    context.stderr.write(`It was not installed: ${error.message}. "contextloom setup embeddings" tries again.\n`);
    return false;
  }
}

const HOOKS = 'Remember every session by itself, with hooks?';
const MODEL =
  'Install a model that finds what is meant in other words too? It fetches some 170 MB once and runs on this machine.';
const LOCAL_MODEL = { EMBEDDING_PROVIDER: 'local' };
const FIRST_WORDS = [
  'Then say there:       Remember that my sister Ros lives in Leith.',
  'And in another chat:  Where does my sister live?',
  '"contextloom doctor" tries it out, "contextloom console" shows what is remembered.',
];

async function init(choice: Choice, context: CliContext, isJson: boolean): Promise<void> {
  const { client, user, profile, env, print } = choice;
  const bin = join(installationRoot, 'services', 'cli', 'bin', 'contextloom.js');
  const machine = toMachine(context);
  const installation = { platform: machine.platform, execPath: context.execPath, root: installationRoot, bin };
  const entry = client.toEntry({ ...toLaunch({ user, profile }, installation), env });
  const file = client.toFile(machine);
  if (file === undefined) return printForWindow(context, client, entry);
  const before = await readIfThere(file);
  const after = toClientText(before, entry, { client, file });
  if (!print) await checkStores();
  const written = print || after === before ? undefined : await writeTo(file, entry, client);
  const report = { client: client.id, file, entry, written: written !== undefined, copy: written?.copy ?? null };
  if (isJson) return printJson(context, { success: true, ...report });
  if (print) return printLines(context, [after.trimEnd()]);
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

/** What would be written could not store anything. @throws ContextloomError `unavailable` where SQLite cannot be loaded */
async function checkStores(): Promise<void> {
  const { requireSqlite } = await import('@contextloom/sqlite');
  requireSqlite();
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
