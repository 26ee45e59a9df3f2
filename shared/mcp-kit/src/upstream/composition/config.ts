import { resolve } from 'node:path';
import { ContextloomError, parseInput } from '@contextloom/contracts';
import { z } from 'zod';
import type { Authorize } from '../../access/authorize-house.ts';
import type { Environment } from '../../settings/settings.ts';
import { toDeclaredEnvironment } from './declared-environment.ts';

const ONE_DAY_MS = 86_400_000;

/** Checked on its own, so that an error names the field and not the kinds of entries. */
const limitsSchema = z.object({
  timeoutMs: z.number().int().min(1).max(ONE_DAY_MS).optional(),
  concurrency: z.number().int().min(1).max(10_000).optional(),
});

/** Kept as it stands until {@link limitsSchema} reads it. */
const unreadLimits = { timeoutMs: z.unknown().optional(), concurrency: z.unknown().optional() };

const stdioEntrySchema = z.object({
  ...unreadLimits,
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().optional(),
  disabled: z.boolean().default(false),
});

/** Checked after expansion: before it, an address may be no more than `${KB_URL}`. */
const urlSchema = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const httpEntrySchema = z.object({
  ...unreadLimits,
  url: z.string().min(1),
  type: z.string().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  disabled: z.boolean().default(false),
});

const configSchema = z.object({
  mcpServers: z.record(
    z.string(),
    z.union([stdioEntrySchema, httpEntrySchema], { error: 'needs a "command" (stdio) or a "url" (HTTP)' }),
  ),
  aggregator: z.unknown().optional(),
  contextSources: z.unknown().optional(),
});

/** What bounds the calls to a server. */
export interface ServerLimits {
  /** The longest that a call may take, in milliseconds, also where a caller would wait longer. */
  readonly timeoutMs?: number | undefined;
  /** How many calls may be under way at once; more wait for their turn. */
  readonly concurrency?: number | undefined;
}

/** A server to start as a child process and speak to over stdio. */
export interface StdioServerEntry extends ServerLimits {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A server to reach over streamable HTTP, or over the older HTTP with server-sent events. */
export interface HttpServerEntry extends ServerLimits {
  readonly url: string;
  readonly type?: 'sse' | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes the Authorization header of each request, where the headers hold none. */
  readonly authorize?: Authorize | undefined;
}

/** One entry of `mcpServers`. */
export type ServerEntry = StdioServerEntry | HttpServerEntry;

/** A composition file, read. */
export interface McpConfig {
  readonly servers: Readonly<Record<string, ServerEntry>>;
  /** The aggregator's own key, as it stands. */
  readonly aggregator: unknown;
  /** What prompts are composed from, as it stands; undefined when the key is absent. */
  readonly contextSources: unknown;
}

/** What reading a composition needs. */
export interface ParseMcpConfigOptions {
  readonly env: Environment;
  /** The folder that relative paths start from: the file's own. */
  readonly baseDir: string;
  /** The file's name, for error messages. */
  readonly file: string;
}

/**
 * Reads an `mcpServers` composition: `${VAR}`, `${env:VAR}` and `${VAR:-default}` are expanded in every string, a relative
 * `cwd` starts at `baseDir`, entries with `disabled: true` are left out. A server of this installation gets the variables that it
 * declares besides those that its entry names, which win.
 * @throws ContextloomError `invalid`, naming the file and the key
 */
export function parseMcpConfig(text: string, options: ParseMcpConfigOptions): McpConfig {
  const config = parseInput(configSchema, parseJson(text, options.file), [options.file]);
  const servers = Object.entries(config.mcpServers)
    .filter(([, entry]) => !entry.disabled)
    .map(([name, entry]) => [name, toServerEntry(entry, name, options)] as const);
  const { aggregator, contextSources } = config;
  return { servers: Object.fromEntries(servers), aggregator, contextSources };
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new ContextloomError('invalid', `${file} is not valid JSON`, { field: file, cause });
  }
}

type ParsedEntry = z.output<typeof configSchema>['mcpServers'][string];

function toServerEntry(entry: ParsedEntry, name: string, { env, baseDir, file }: ParseMcpConfigOptions): ServerEntry {
  const expand = (text: string): string => expandVariables(text, env, `${file}: mcpServers.${name}`);
  const expandAll = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, expand(value)]));
  const limits = parseInput(limitsSchema, entry, [file, 'mcpServers', name]);
  if ('url' in entry) {
    const url = parseInput(urlSchema, expand(entry.url), [file, 'mcpServers', name, 'url']);
    return { url, headers: expandAll(entry.headers), ...limits, ...(entry.type === 'sse' && { type: entry.type }) };
  }
  const program = {
    command: expand(entry.command),
    args: entry.args.map(expand),
    cwd: resolve(baseDir, expand(entry.cwd ?? '.')),
  };
  return { ...program, ...limits, env: { ...toDeclaredEnvironment(program, env), ...expandAll(entry.env) } };
}

/** Replaces `${VAR}`, `${env:VAR}` and `${VAR:-default}`; a variable that is not set and has no default is an error. */
function expandVariables(text: string, env: Environment, where: string): string {
  return text.replace(
    /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_match, name: string, fallback?: string) => {
      const value = env[name];
      if (value !== undefined && (value !== '' || fallback === undefined)) return value;
      if (fallback !== undefined) return fallback;
      throw new ContextloomError('invalid', `${where} uses \${${name}}, which is not set in the environment`, {
        field: name,
      });
    },
  );
}
