import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ContextloomError } from '@contextloom/contracts';
import {
  accountSettings,
  createAccounts,
  createUpstreams,
  openCredentialStore,
  type ServerEntry,
} from '@contextloom/mcp-client';
import { createLog, readSettings, silentLog } from '@contextloom/runtime';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type EditedComposition,
  loadComposition,
  resolveConfigFile,
  resolveEditedFile,
} from '../composition/composition.ts';
import { addServer, noServer, readEntries, removeServer, type WrittenEntry } from '../composition/edit-composition.ts';
import type { CliContext } from '../context.ts';
import { endAsFailed } from '../exit-codes.ts';
import { readGlobals, refuseAddress, toInteger, toPairs, toUserId } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { type Column, renderTable } from '../output/tables/table.ts';
import { toPlainLine } from '../output/text/plain.ts';
import { version } from '../version.ts';
import { registerLogin } from './credentials.ts';

const EXAMPLES = `
Examples:
  $ contextloom servers add files -- npx -y @modelcontextprotocol/server-filesystem /data
  $ contextloom servers add wiki https://wiki.example.com/mcp --header 'Authorization: Bearer \${WIKI_KEY}'
  $ contextloom servers test wiki
  $ contextloom servers remove files

An aggregator that runs takes the changed file within a second.`;

/** A server looks for its composition once, when it starts. */
const NEW_FILE = ' The file is new: start again what runs.';

interface AddOptions {
  readonly header?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

function toServerName(text: string): string {
  if (/^[\w.-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('must be 1 to 64 letters, digits, ".", "_" or "-"');
}

/** Adds `servers`: which servers the composition has. They are edited in the file alone, never over the network. */
export function registerServers(program: Command, context: CliContext): void {
  const servers = program
    .command('servers')
    .description('add, remove, list and try out the servers of the composition')
    .addHelpText('after', EXAMPLES);
  servers
    .command('add')
    .description('add a server: its address, or the command that starts it')
    .argument('<name>', 'what it is called', toServerName)
    .argument('<target...>', 'an http or https address; or, after --, a command and its arguments')
    .addOption(
      new Option('--header <header>', 'sent to its address, as "Name: value"; repeat').argParser(
        toPairs(':', '"Name: value"'),
      ),
    )
    .addOption(
      new Option('--env <variable>', 'set for its command, as NAME=value; repeat').argParser(
        toPairs('=', 'NAME=value'),
      ),
    )
    .option('--cwd <folder>', 'where its command is started (default: the folder of the file)')
    .action(async (name: string, target: readonly string[], options: AddOptions, command: Command) => {
      const edited = toEdited(context, command);
      const { file } = edited;
      const isNew = !existsSync(file);
      await addServer(name, toEntry(target, options, command), { ...edited, env: context.env });
      tell(context, command, { name, file, added: true }, `${name} is added to ${file}.${isNew ? NEW_FILE : ''}`);
    });
  servers
    .command('remove')
    .description('take a server out of the composition')
    .argument('<name>', 'the server')
    .action(async (name: string, _options: object, command: Command) => {
      const edited = toEdited(context, command);
      const { file } = edited;
      const isNew = !existsSync(file);
      await removeServer(name, edited);
      tell(context, command, { name, file, removed: true }, `${name} is removed from ${file}.${isNew ? NEW_FILE : ''}`);
    });
  servers
    .command('list')
    .description('list the servers of the composition, also those that are switched off')
    .action(async (_options: object, command: Command) => {
      const file = toFile(context, command);
      const entries = readEntries(await readFile(file, 'utf8'), file);
      if (readGlobals(command).json) printJson(context, { file, servers: entries });
      else printLines(context, [renderEntries(entries, context)]);
    });
  servers
    .command('test')
    .description('start or reach one server, and list its tools')
    .argument('<name>', 'the server')
    .addOption(new Option('--user <id>', 'with the account of this user').argParser(toUserId))
    .option('--timeout <seconds>', 'how long it may take', toInteger(1, 3_600), 60)
    .action(async (name: string, { user, timeout }: TestOptions, command: Command) => {
      await testServer(name, { user, timeoutMs: timeout * 1_000 }, { context, command });
    });
  registerLogin(servers, context);
}

function toFile(context: CliContext, command: Command): string {
  refuseAddress(command);
  return resolveConfigFile(context, readGlobals(command));
}

function toEdited(context: CliContext, command: Command): EditedComposition {
  refuseAddress(command);
  return resolveEditedFile(context, readGlobals(command));
}

function tell(context: CliContext, command: Command, result: object, line: string): void {
  if (readGlobals(command).json) printJson(context, result);
  else printLines(context, [line]);
}

/** The entry, with its variables left as they are: they are looked up when it is started. */
function toEntry(
  [first = '', ...args]: readonly string[],
  { header, env, cwd }: AddOptions,
  command: Command,
): WrittenEntry {
  const isAddress = /^https?:\/\//i.test(first);
  if (isAddress && args.length > 0) command.error('error: an address takes no arguments');
  if (isAddress && (env ?? cwd) !== undefined) command.error('error: an address takes no --env and no --cwd');
  if (!isAddress && header !== undefined) command.error('error: a command takes no --header');
  if (isAddress) return { type: 'http', url: first, ...(header !== undefined && { headers: header }) };
  return {
    command: first,
    ...(args.length > 0 && { args }),
    ...(env !== undefined && { env }),
    ...(cwd !== undefined && { cwd }),
  };
}

const entryColumns: readonly Column[] = [
  { title: 'server' },
  { title: 'reached by' },
  { title: 'address or command', flexible: true },
  { title: 'state' },
];

function renderEntries(entries: Readonly<Record<string, WrittenEntry>>, context: CliContext): string {
  const rows = Object.entries(entries).map(([name, { url, command, args, disabled }]) => [
    toPlainLine(name),
    url === undefined ? 'stdio' : 'HTTP',
    toPlainLine([url ?? command, ...[args ?? []].flat()].join(' ')),
    disabled === true ? 'switched off' : '',
  ]);
  if (rows.length === 0) return 'There are no servers.';
  return renderTable(entryColumns, rows, outputLook(context));
}

interface Tested {
  readonly context: CliContext;
  readonly command: Command;
}

interface TestOptions {
  readonly user?: string;
  readonly timeout: number;
}

async function testServer(
  name: string,
  { user, timeoutMs }: { readonly user: string | undefined; readonly timeoutMs: number },
  { context, command }: Tested,
): Promise<void> {
  refuseAddress(command);
  const globals = readGlobals(command);
  const { servers, file, env } = await loadComposition(context, globals);
  const accounts = createAccounts(openCredentialStore(readSettings(accountSettings, env).values), silentLog);
  if (servers[name] === undefined) throw noServer(name, file, await readFile(file, 'utf8'));
  const reached = accounts.toServers(servers, user)[name];
  if (reached === undefined && user !== undefined) {
    throw new ContextloomError('not_found', `there is no account of ${user} at ${name} that can be used`, {
      field: 'user',
    });
  }
  const entry = reached ?? servers[name];
  const found = await tryServer(name, entry, { timeoutMs, context, isVerbose: globals.verbose });
  if (globals.json) printJson(context, { name, ...found });
  else printLines(context, describe(name, found, context));
  if (!found.success) endAsFailed();
}

type Found =
  | { readonly success: false; readonly reason: string }
  | {
      readonly success: true;
      readonly start_ms: number;
      readonly list_ms: number;
      readonly tools: readonly { readonly name: string; readonly description: string }[];
    };

async function tryServer(
  name: string,
  entry: ServerEntry,
  { timeoutMs, context, isVerbose }: { timeoutMs: number; context: CliContext; isVerbose: boolean },
): Promise<Found> {
  const upstreams = createUpstreams({
    servers: { [name]: entry },
    clientName: 'contextloom',
    clientVersion: version,
    log: isVerbose ? createLog({ name: 'contextloom', level: 'debug', stream: context.stderr }) : silentLog,
    startTimeoutMs: timeoutMs,
    stderr: isVerbose ? 'inherit' : 'ignore',
  });
  const options = { timeoutMs, signal: context.signal };
  try {
    const begun = context.now();
    const started = await upstreams.use(name, options, async () => undefined);
    if (started.kind !== 'ok') return { success: false, reason: started.reason };
    const open = context.now();
    const listed = await upstreams.listTools(name, options);
    if (listed.kind !== 'ok') return { success: false, reason: listed.reason };
    const tools = listed.value.map((tool) => ({ name: tool.name, description: tool.description ?? '' }));
    return { success: true, start_ms: Math.round(open - begun), list_ms: Math.round(context.now() - open), tools };
  } finally {
    await upstreams.close();
  }
}

const toolColumns: readonly Column[] = [{ title: 'tool' }, { title: 'what it does', flexible: true, maxLines: 2 }];

function describe(name: string, found: Found, context: CliContext): readonly string[] {
  if (!found.success) return [`${name} ${found.reason}.`];
  const { start_ms, list_ms, tools } = found;
  const summary = `${name} was ready after ${start_ms} ms and listed ${tools.length === 1 ? '1 tool' : `${tools.length} tools`} in ${list_ms} ms.`;
  if (tools.length === 0) return [summary];
  const rows = tools.map((tool) => [toPlainLine(tool.name), toPlainLine(tool.description)]);
  return [renderTable(toolColumns, rows, outputLook(context)), summary];
}
