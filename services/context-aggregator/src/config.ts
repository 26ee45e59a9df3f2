import { readFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { ContextloomError, isTimeZone, LANGUAGES, parseInput, userIdSchema } from '@contextloom/contracts';
import {
  accountSettings,
  type ConnectionLimits,
  parseMcpConfig,
  readEnvFile,
  type ServerEntry,
  withEnvFile,
} from '@contextloom/mcp-client';
import { type Environment, type Flag, setting } from '@contextloom/runtime';
import { z } from 'zod';
import { type ContextSources, parseContextSources } from './domain/context-sources/context-source.ts';
import type { Exposure } from './gateway/catalogue/access-policy.ts';
import { parseExposures } from './gateway/catalogue/parse-exposures.ts';
import type { Discovery } from './gateway/session.ts';
import { SERVICE_NAME } from './operations/deps.ts';
import type { Deadlines, PromptSettings } from './sources/asking/deps.ts';

/** What the aggregator takes from the environment. */
export const settings = {
  configFile: setting({
    env: ['MCP_CONFIG'],
    schema: z.string(),
    default: './mcp_config.json',
    description: 'The composition: which servers there are and how to start or reach them',
  }),
  userId: setting({
    env: ['DEFAULT_USER_ID'],
    flag: { name: 'user', type: 'string' },
    schema: userIdSchema,
    description:
      'The user of the profile chat, and of the servers that it starts; without it the one that the caller\'s key is for, or "default"',
  }),
  timeZone: setting({
    env: ['TIMEZONE'],
    schema: z.string().refine(isTimeZone, 'must be the name of a time zone, such as UTC or Asia/Shanghai'),
    default: Intl.DateTimeFormat().resolvedOptions().timeZone,
    description: "Where the user's days begin (IANA)",
  }),
  ...accountSettings,
};

/** The environment of the servers that are started for one user: those that are for one user are for this one. */
export function forUser(env: Environment, userId: string | undefined): Environment {
  return userId === undefined ? env : { USER_ID: userId, ...env, DEFAULT_USER_ID: userId };
}

/** What the aggregator takes from the command line. */
export const flags = {
  config: { type: 'string', description: 'The composition file (default: MCP_CONFIG, or ./mcp_config.json)' },
  profile: {
    type: 'string',
    description:
      'What is offered: app (default), all with the tools of the other servers, chat for a model and one user, or connector, which reads alone',
  },
} as const satisfies Readonly<Record<string, Flag>>;

const ONE_DAY_MS = 86_400_000;
const deadlineSchema = z.number().int().min(1).max(ONE_DAY_MS);

/** The aggregator's own key of the composition. */
const aggregatorSchema = z.strictObject({
  source_deadline_ms: deadlineSchema.default(5_000),
  store_deadline_ms: deadlineSchema.default(600_000),
  max_tokens: z.number().int().min(1).max(1_000_000).optional(),
  prompt_notes: z.boolean().optional(),
  prompt_language: z.enum(LANGUAGES).optional(),
  fence: z.boolean().optional(),
  own_servers: z.array(z.string()).optional(),
  expose: z.unknown().optional(),
  discovery: z.enum(['list', 'search']).default('list'),
  max_connections: z.number().int().min(1).max(100_000).default(256),
  max_connections_per_user: z.number().int().min(1).max(100_000).default(128),
});

/** What the aggregator can offer: its own operations, these with what is exposed of the other servers, memory for one user's chat, or reading it alone. */
const profiles = ['app', 'all', 'chat', 'connector'] as const;

/** Reads `--profile`. @throws ContextloomError `invalid` for one that there is not */
export function parseProfile(given: unknown): (typeof profiles)[number] {
  return parseInput(z.enum(profiles), given ?? 'app', ['--profile']);
}

/** A composition as the aggregator uses it: the servers besides itself. */
export interface AggregatorConfig {
  readonly servers: Readonly<Record<string, ServerEntry>>;
  readonly deadlines: Deadlines;
  readonly prompts: PromptSettings;
  readonly sources: ContextSources;
  /** The first-party servers: their failure messages are passed on, and they learn who the caller is. */
  readonly ownServers: ReadonlySet<string>;
  /** What the profile `all` offers of each server. */
  readonly exposures: Readonly<Record<string, Exposure>>;
  /** Whether that profile lists tools, or finds them by a search. */
  readonly discovery: Discovery;
  /** How many connections clients may have to third-party servers. */
  readonly connections: ConnectionLimits;
}

/** What reading a composition needs. */
export interface AggregatorConfigOptions {
  readonly env: Environment;
  /** The composition's path, absolute. */
  readonly file: string;
  /** The file that this process runs, absolute: an entry that starts it again would be the aggregator itself. */
  readonly ownFile: string;
}

function isItself(name: string, entry: ServerEntry, ownFile: string): boolean {
  if (name === SERVICE_NAME) return true;
  return 'command' in entry && entry.args.some((arg) => resolve(entry.cwd, arg) === ownFile);
}

/**
 * Whether an entry starts a program of the installation that this process runs from: `<root>/services/<service>/dist/server.js`,
 * like its own file. What a host answers at an address says nothing of who wrote it.
 */
function isOfInstallation(entry: ServerEntry, ownFile: string): boolean {
  if (!('command' in entry)) return false;
  const program = entry.args.find((arg) => !arg.startsWith('-'));
  const services = resolve(dirname(ownFile), '..', '..');
  return program !== undefined && resolve(entry.cwd, program).startsWith(`${services}${sep}`);
}

/** All callers share one connection to a first-party server, which gets the caller with each request. */
function refuseFirstPartyAccounts(
  entries: readonly (readonly [string, ServerEntry])[],
  ownServers: ReadonlySet<string>,
  file: string,
): void {
  const found = entries.find(([name, { credentials = 'own' }]) => ownServers.has(name) && credentials !== 'own');
  if (found === undefined) return;
  const message = `${file}: ${found[0]} is one of our own servers, which learn the caller: leave its "credentials" out`;
  throw new ContextloomError('invalid', message, { field: 'credentials' });
}

/**
 * Reads a composition's text; the aggregator's own entry is passed over, since the file serves other clients too.
 * @throws ContextloomError `invalid`, naming the file and the key
 */
export function parseAggregatorConfig(text: string, { env, file, ownFile }: AggregatorConfigOptions): AggregatorConfig {
  // A server that needs the composition itself gets its path as "${MCP_CONFIG}", however this process got it.
  const { servers, aggregator, contextSources } = parseMcpConfig(text, {
    env: { ...env, MCP_CONFIG: file },
    file,
    baseDir: dirname(file),
  });
  const own = parseInput(aggregatorSchema, aggregator ?? {}, [file, 'aggregator']);
  const others = Object.entries(servers).filter(([name, entry]) => !isItself(name, entry, ownFile));
  const names = others.map(([name]) => name);
  const started = others.filter(([, entry]) => isOfInstallation(entry, ownFile)).map(([name]) => name);
  const ownServers = new Set(own.own_servers ?? started);
  refuseFirstPartyAccounts(others, ownServers, file);
  return {
    servers: Object.fromEntries(others),
    deadlines: { sourceMs: own.source_deadline_ms, storeMs: own.store_deadline_ms },
    prompts: { maxTokens: own.max_tokens, notes: own.prompt_notes, language: own.prompt_language, fence: own.fence },
    sources: parseContextSources(contextSources, file, names),
    ownServers,
    discovery: own.discovery,
    connections: { inAll: own.max_connections, perOwner: own.max_connections_per_user },
    exposures: parseExposures(own.expose, names, [file, 'aggregator', 'expose']),
  };
}

/**
 * Reads a composition from a file; a `.env` file next to it adds to the environment.
 * @throws ContextloomError `not_found` when there is no such file, `invalid` for what stands in it
 */
export async function loadAggregatorConfig(options: AggregatorConfigOptions): Promise<AggregatorConfig> {
  const file = resolve(options.file);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ContextloomError(
      'not_found',
      `the configuration ${file} cannot be read; name another with --config <file> or MCP_CONFIG`,
      { field: 'config', cause },
    );
  });
  return parseAggregatorConfig(text, { ...options, file, env: withEnvFile(options.env, readEnvFile(file)) });
}
