import {
  type AccessScope,
  accessScopes,
  accessSettings,
  addKey,
  isExpired,
  type KeyFileOptions,
  listKeys,
  type NewKey,
  openKeyDatabase,
  revokeKey,
  rotateKey,
  type StoredKey,
} from '@contextloom/access';
import { userIdSchema } from '@contextloom/contracts';
import { readSettings, silentLog } from '@contextloom/runtime';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { loadComposition } from '../composition/composition.ts';
import type { CliContext } from '../context.ts';
import { readGlobals, toUserId } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { type Column, renderTable } from '../output/tables/table.ts';

const EXAMPLES = `
Examples:
  $ contextloom keys add shop-app                          reads and writes for every user and project
  $ contextloom keys add ann --user ann --expires 90d      Ann's own memory, for ninety days
  $ contextloom keys add team --project shop --scope read  what is known about one project
  $ contextloom keys rotate ann                            the same rights under a new key; the old one ends`;

interface AddOptions {
  readonly user?: readonly string[];
  readonly project?: readonly string[];
  readonly scope?: readonly AccessScope[];
  readonly servers?: readonly string[];
  readonly expires?: number;
}

const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS, y: 365 * DAY_MS };

/** Parses a time span such as `90d`, in milliseconds. */
function toSpan(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})([hdwy])$/.exec(text) ?? [];
  const length = Number(count) * (UNITS[unit] ?? 0);
  if (length > 0) return length;
  throw new InvalidArgumentError('must be a time span such as 12h, 90d, 8w or 1y');
}

const collect =
  <T>(parse: (text: string) => T) =>
  (text: string, before: readonly T[] = []): readonly T[] => [...before, parse(text)];

function toScopes(text: string, before: readonly AccessScope[] = []): readonly AccessScope[] {
  const given = text.split(',').map((part) => part.trim());
  const scopes = accessScopes.filter((scope) => given.includes(scope));
  if (scopes.length === given.length) return [...before, ...scopes];
  throw new InvalidArgumentError(`must be one or more of ${accessScopes.join(', ')}`);
}

/** Adds `keys`: who may call over HTTP. */
export function registerKeys(program: Command, context: CliContext): void {
  const keys = program
    .command('keys')
    .description('make, list and take away the keys that callers over HTTP need')
    .addHelpText('after', EXAMPLES);
  keys
    .command('add')
    .description('make a key and print it, once')
    .argument('<name>', 'what the key is called: letters, digits, ".", "_" and "-"')
    .addOption(new Option('--user <id>', 'a user that it reaches; repeat for several').argParser(collect(toUserId)))
    .addOption(new Option('--project <key>', 'a project that it reaches; repeat').argParser(collect(toProject)))
    .addOption(new Option('--scope <scopes>', 'read, write, admin (default: read,write)').argParser(toScopes))
    .addOption(
      new Option('--servers <names>', 'the servers that take it, with commas (default: all)').argParser(toNames),
    )
    .addOption(new Option('--expires <span>', 'when it ends, such as 90d').argParser(toSpan))
    .action(async (name: string, options: AddOptions, command: Command) => {
      const made = await withKeys(context, command, (keys) => addKey(toRequest(name, options, context.clock()), keys));
      printNew(context, command, made);
    });
  keys
    .command('rotate')
    .description('give a key a new text, with the same rights')
    .argument('<name>', 'the key')
    .action(async (name: string, _options: object, command: Command) => {
      printNew(context, command, await withKeys(context, command, (keys) => rotateKey(name, keys)));
    });
  keys
    .command('revoke')
    .description('take a key away: its next request is refused')
    .argument('<name>', 'the key')
    .action(async (name: string, _options: object, command: Command) => {
      await withKeys(context, command, (keys) => revokeKey(name, keys));
      if (readGlobals(command).json) printJson(context, { name, revoked: true });
      else printLines(context, [`The key ${name} is revoked.`]);
    });
  keys
    .command('list')
    .description('list the keys, never their text')
    .action(async (_options: object, command: Command) => {
      const found = await withKeys(context, command, listKeys);
      if (readGlobals(command).json) printJson(context, { keys: found.map(toShown) });
      else printLines(context, [toTable(found, context)]);
    });
}

const toProject = (text: string): string => userIdSchema.parse(text);
const toNames = (text: string): readonly string[] => text.split(',').map((name) => name.trim());

function toRequest(name: string, { user, project, scope, servers, expires }: AddOptions, now: Date) {
  return {
    name,
    ...(user !== undefined && { users: user }),
    ...(project !== undefined && { projects: project }),
    scopes: scope ?? (['read', 'write'] as const),
    ...(servers !== undefined && { servers }),
    ...(expires !== undefined && { expires_at: new Date(now.getTime() + expires).toISOString() }),
  };
}

/** Works with the keys that the servers of the composition read as well: `.env` next to it counts. */
async function withKeys<T>(
  context: CliContext,
  command: Command,
  work: (keys: KeyFileOptions) => Promise<T>,
): Promise<T> {
  const { env } = await loadComposition(context, readGlobals(command));
  const { keysFile, keysUrl } = accessSettings;
  const { keysFile: file, keysUrl: url } = readSettings({ keysFile, keysUrl }, env).values;
  const database = url === undefined ? undefined : await openKeyDatabase({ url, file, log: silentLog });
  try {
    return await work({ file, database, clock: context.clock });
  } finally {
    await database?.close();
  }
}

function toShown({ hash: _secret, ...key }: StoredKey) {
  // A key for users reaches no project, and a key for projects reaches no user.
  const rest = key.users === undefined && key.projects === undefined ? ('all' as const) : [];
  return { ...key, users: key.users ?? rest, projects: key.projects ?? rest, expires_at: key.expires_at ?? null };
}

function printNew(context: CliContext, command: Command, { key, stored }: NewKey): void {
  const { name, users, projects, scopes, expires_at } = toShown(stored);
  if (readGlobals(command).json) {
    printJson(context, { name, key, users, projects, scopes, expires_at });
    return;
  }
  printLines(context, [
    key,
    '',
    'This is shown once: keep it where your application keeps its secrets.',
    `Callers send it as  Authorization: Bearer <key>; from now on every HTTP address of this installation asks for one.`,
  ]);
}

const columns: readonly Column[] = [
  { title: 'name', flexible: true },
  { title: 'users', flexible: true },
  { title: 'projects', flexible: true },
  { title: 'scopes', minWidth: 10 },
  { title: 'made', minWidth: 10 },
  { title: 'ends', minWidth: 10 },
];

function toTable(keys: readonly StoredKey[], context: CliContext): string {
  if (keys.length === 0)
    return 'There are no keys: over HTTP the servers answer this machine only, without authentication.';
  const rows = keys.map((key) => {
    const { users, projects, scopes, created_at, expires_at } = toShown(key);
    const ends =
      expires_at === null ? 'never' : `${expires_at.slice(0, 10)}${isExpired(key, context.clock()) ? ' (over)' : ''}`;
    return [
      key.name,
      [users].flat().join(', '),
      [projects].flat().join(', '),
      scopes.join(', '),
      created_at.slice(0, 10),
      ends,
    ];
  });
  return renderTable(columns, rows, outputLook(context));
}
