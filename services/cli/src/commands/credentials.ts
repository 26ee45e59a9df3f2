import { ContextloomError } from '@contextloom/contracts';
import {
  accountSettings,
  type Credential,
  type CredentialStore,
  expandVariables,
  logIn,
  openCredentialStore,
  type ServerEntry,
  type StoredCredential,
} from '@contextloom/mcp-client';
import { readSettings } from '@contextloom/runtime';
import { type Command, Option } from 'commander';
import { type Composition, loadComposition } from '../composition/composition.ts';
import type { CliContext } from '../context.ts';
import { readGlobals, refuseAddress, toInteger, toPairs, toUserId } from '../options.ts';
import { openBrowser } from '../output/open-browser.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { type Column, renderTable } from '../output/tables/table.ts';

const EXAMPLES = `
Examples:
  $ contextloom credentials set --user ann --server wiki --bearer '\${WIKI_KEY}'   Ann's own account at the wiki
  $ contextloom credentials set --server files --env TOKEN='\${FILES_TOKEN}'       the account of the entry itself
  $ contextloom servers login wiki --user ann                                     by the wiki's own login
  $ contextloom credentials remove --user ann --server wiki

Variables are read from the environment, so that no secret stands in the history of a shell. A caller's account is used where
the entry of the server says "credentials": "caller" or "caller-or-own".`;

interface Owner {
  readonly server: string;
  readonly user?: string;
}

interface SetOptions extends Owner {
  readonly header?: Readonly<Record<string, string>>;
  readonly bearer?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const serverOption = () => new Option('--server <name>', 'the server of the composition').makeOptionMandatory();
const userOption = () =>
  new Option('--user <id>', 'whose account it is (default: that of the entry itself)').argParser(toUserId);

/** Adds `credentials`: accounts at other servers. */
export function registerCredentials(program: Command, context: CliContext): void {
  const credentials = program
    .command('credentials')
    .description('set, list and remove accounts at other MCP servers')
    .addHelpText('after', EXAMPLES);
  credentials
    .command('set')
    .description('set an account, in place of the one before')
    .addOption(serverOption())
    .addOption(userOption())
    .option('--bearer <key>', 'a key that is sent as Authorization: Bearer')
    .addOption(new Option('--header <header>', 'as "Name: value"; repeat').argParser(toPairs(':', '"Name: value"')))
    .addOption(new Option('--env <variable>', 'as NAME=value; repeat').argParser(toPairs('=', 'NAME=value')))
    .action(async (options: SetOptions, command: Command) => {
      const { composition, store } = await open(context, command);
      const entry = findEntry(options, composition);
      const { madeKeyAt } = await store.set(toName(options), toCredential(options, entry, composition));
      const { server, user = null } = options;
      if (readGlobals(command).json) printJson(context, { server, user, set: true, key_file: madeKeyAt ?? null });
      else printLines(context, [`${toWhose(options)} is set.`, ...toKeyNotice(madeKeyAt)]);
    });
  credentials
    .command('list')
    .description('list the accounts, never what they are')
    .action(async (_options: object, command: Command) => {
      const { store } = await open(context, command);
      const shown = store.list().map(toShown);
      if (readGlobals(command).json) printJson(context, { credentials: shown });
      else printLines(context, [toTable(shown, context)]);
    });
  credentials
    .command('remove')
    .description('remove an account: connections that use it are closed')
    .addOption(serverOption())
    .addOption(userOption())
    .action(async (options: Owner, command: Command) => {
      const { store } = await open(context, command);
      await store.remove(toName(options));
      const { server, user = null } = options;
      if (readGlobals(command).json) printJson(context, { server, user, removed: true });
      else printLines(context, [`${toWhose(options)} is removed.`]);
    });
}

interface LoginOptions {
  readonly user?: string;
  readonly scope?: string;
  readonly clientId?: string;
  readonly port?: number;
  readonly timeout: number;
  readonly browser: boolean;
}

/** Adds `servers login`: an account by the server's own login. */
export function registerLogin(servers: Command, context: CliContext): void {
  servers
    .command('login')
    .description('log in at the authorization server of a remote server (OAuth), in a browser')
    .argument('<name>', 'the server')
    .addOption(userOption())
    .option('--scope <scopes>', 'what to ask for, with blanks (default: what the server says)')
    .option('--client-id <id>', 'a client that is registered there already')
    .option(
      '--port <port>',
      'the port on 127.0.0.1 that the browser comes back to (default: a free one)',
      toInteger(1, 65_535),
    )
    .option('--timeout <seconds>', 'how long to wait for you', toInteger(1, 3_600), 300)
    .option('--no-browser', 'print the address, and open no browser')
    .action(async (server: string, options: LoginOptions, command: Command) => {
      const { composition, store } = await open(context, command);
      const owner = { server, ...(options.user !== undefined && { user: options.user }) };
      const entry = findEntry(owner, composition);
      if (!('url' in entry)) {
        throw new ContextloomError(
          'invalid',
          `${server} is started by a command: only a server with an address has a login`,
        );
      }
      const { scope = entry.oauth?.scope, clientId = entry.oauth?.clientId, port, timeout, browser } = options;
      const clientSecret = clientId === entry.oauth?.clientId ? entry.oauth?.clientSecret : undefined;
      const login = await logIn({
        serverUrl: entry.url,
        scope,
        clientId,
        clientSecret,
        port,
        onUrl: (url) => {
          context.stderr.write(`Open this address to log in:\n\n  ${url.href}\n\n`);
          if (browser) void openBrowser(url);
        },
        signal: AbortSignal.any([context.signal, AbortSignal.timeout(timeout * 1_000)]),
      });
      const { madeKeyAt } = await store.set(toName(owner), { kind: 'oauth', login });
      const { user = null } = owner;
      if (readGlobals(command).json) printJson(context, { server, user, logged_in: true, key_file: madeKeyAt ?? null });
      else printLines(context, [`${toWhose(owner)} is set.`, ...toKeyNotice(madeKeyAt)]);
    });
}

interface Opened {
  readonly composition: Composition;
  readonly store: CredentialStore;
}

/** The file that the aggregator reads as well: `.env` next to the composition counts. */
async function open(context: CliContext, command: Command): Promise<Opened> {
  refuseAddress(command);
  const composition = await loadComposition(context, readGlobals(command));
  const { values } = readSettings(accountSettings, composition.env);
  return { composition, store: openCredentialStore(values) };
}

function findEntry({ server, user }: Owner, { servers, file }: Composition): ServerEntry {
  const entry = servers[server];
  if (entry === undefined) {
    const names = Object.keys(servers).join(', ') || 'none';
    throw new ContextloomError('not_found', `${file} has no server "${server}"; there are: ${names}`, {
      field: 'server',
    });
  }
  if (user !== undefined && (entry.credentials ?? 'own') === 'own') {
    const message = `${server} does not use accounts of callers: write "credentials": "caller" or "caller-or-own" into its entry`;
    throw new ContextloomError('invalid', message, { field: 'credentials' });
  }
  return entry;
}

const toName = ({ server, user }: Owner) => ({ server, user });

function toCredential(
  { header, bearer, env }: SetOptions,
  entry: ServerEntry,
  { env: environment }: Composition,
): Credential {
  const expand = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, expandVariables(value, environment, name)]),
    );
  const headers = { ...header, ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }) };
  const wanted = 'url' in entry ? headers : env;
  const other = 'url' in entry ? env : (header ?? bearer);
  if (wanted === undefined || Object.keys(wanted).length === 0 || other !== undefined) {
    const options =
      'url' in entry ? '--bearer or --header, since it has an address' : '--env, since a command starts it';
    throw new ContextloomError('invalid', `an account of this server is given by ${options}`, { field: 'credentials' });
  }
  return { kind: 'url' in entry ? 'headers' : 'env', values: expand(wanted) };
}

const toWhose = ({ server, user }: Owner): string =>
  user === undefined ? `The account of ${server} itself` : `The account of ${user} at ${server}`;

const toKeyNotice = (file: string | undefined): readonly string[] =>
  file === undefined ? [] : [`A key was made that seals accounts, in ${file}. Without it they cannot be read again.`];

const toShown = ({ server, user, kind, created_at }: StoredCredential) => ({
  server,
  user: user ?? null,
  kind,
  created_at,
});

const columns: readonly Column[] = [
  { title: 'server' },
  { title: 'user', flexible: true },
  { title: 'kind' },
  { title: 'set', minWidth: 10 },
];

const kinds: Readonly<Record<StoredCredential['kind'], string>> = {
  headers: 'headers',
  env: 'variables',
  oauth: 'login',
};

function toTable(shown: readonly ReturnType<typeof toShown>[], context: CliContext): string {
  if (shown.length === 0) return 'There are no accounts.';
  const rows = shown.map(({ server, user, kind, created_at }) => [
    server,
    user ?? '(the entry itself)',
    kinds[kind],
    created_at.slice(0, 10),
  ]);
  return renderTable(columns, rows, outputLook(context));
}
