import { resolve } from 'node:path';
import type { Authorize } from '@contextloom/access';
import { ContextloomError, parseInput } from '@contextloom/contracts';
import type { Environment } from '@contextloom/runtime';
import type { AuthProvider } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { toDeclaredEnvironment, toInstalledProgram } from './declared-environment.ts';
import { expandVariables } from './expand-variables.ts';

const ONE_DAY_MS = 86_400_000;

const common = {
  credentials: z.enum(['own', 'caller', 'caller-or-own'], 'must be own, caller or caller-or-own').optional(),
  timeoutMs: z.number().int().min(1).max(ONE_DAY_MS).optional(),
  concurrency: z.number().int().min(1).max(10_000).optional(),
};

const stdioEntrySchema = z.object({
  ...common,
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().optional(),
});

/** Checked after expansion: before it, an address may be no more than `${KB_URL}`. */
const urlSchema = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const httpEntrySchema = z.object({
  ...common,
  url: z.string().min(1),
  /** `http` and its like are streamable HTTP, under the names that clients have for it. */
  type: z.string().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  oauth: z
    .strictObject({
      clientId: z.string().min(1),
      clientSecret: z.string().min(1).optional(),
      scope: z.string().min(1).optional(),
    })
    .optional(),
});

/** A client that is registered at the authorization server of a server; without a secret, it is a public one. */
export interface OAuthClientEntry {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** What a login asks for, with blanks; the server's own choice without it. */
  readonly scope?: string | undefined;
}

/** What is so of every server, however it is reached. */
export interface ServerPolicy {
  /** With whose account it is reached: the entry's own, the caller's, or the entry's own where the caller has none. */
  readonly credentials?: 'own' | 'caller' | 'caller-or-own' | undefined;
  /** The longest that a call may take, in milliseconds, also where a caller would wait longer. */
  readonly timeoutMs?: number | undefined;
  /** How many calls may be under way at once; more wait for their turn. */
  readonly concurrency?: number | undefined;
}

/** A server to start as a child process and speak to over stdio. */
export interface StdioServerEntry extends ServerPolicy {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A server to reach over streamable HTTP, or over the older HTTP with server-sent events. */
export interface HttpServerEntry extends ServerPolicy {
  readonly url: string;
  readonly type?: 'sse' | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** As whom a login is made and renewed; a client is registered for it without one. */
  readonly oauth?: OAuthClientEntry | undefined;
  /** Makes the Authorization header of each request, where the headers hold none. */
  readonly authorize?: Authorize | undefined;
  /** Shows the access token of a login, where the headers hold none. */
  readonly authProvider?: AuthProvider | undefined;
}

/** One server of a composition. */
export type ServerEntry = StdioServerEntry | HttpServerEntry;

/** What reading an entry needs. */
export interface ServerEntryOptions {
  readonly env: Environment;
  /** The folder that relative paths start from. */
  readonly baseDir: string;
  /** Where the entry stands, for error messages: the file, the key of all servers, its own. */
  readonly path: readonly [string, string, string];
}

/**
 * Reads one entry: variables are expanded in every string.
 * @throws ContextloomError `invalid`, naming the file and the field
 */
export function parseServerEntry(entry: Readonly<Record<string, unknown>>, options: ServerEntryOptions): ServerEntry {
  const { path } = options;
  const [file, ...keys] = path;
  const where = `${file}: ${keys.join('.')}`;
  const [hasCommand, hasUrl] = [entry['command'] !== undefined, entry['url'] !== undefined];
  if (hasCommand === hasUrl) {
    const problem = hasUrl ? 'has both, and takes one:' : 'needs';
    throw new ContextloomError('invalid', `${path.join('.')} ${problem} a "command" (stdio) or a "url" (HTTP)`, {
      field: keys.join('.'),
    });
  }
  return hasUrl ? parseHttpEntry(entry, where, options) : parseStdioEntry(entry, where, options);
}

function parseHttpEntry(entry: object, where: string, { env, path }: ServerEntryOptions): HttpServerEntry {
  const { url, type, headers, oauth, ...bounds } = parseInput(httpEntrySchema, entry, [...path]);
  return {
    url: parseInput(urlSchema, expandVariables(url, env, where), [...path, 'url']),
    headers: expandAll(headers, env, where),
    ...bounds,
    ...(oauth !== undefined && { oauth: { ...oauth, ...toExpandedClient(oauth, env, where) } }),
    ...(type === 'sse' && { type }),
  };
}

function toExpandedClient(
  { clientId, clientSecret }: OAuthClientEntry,
  env: Environment,
  where: string,
): Pick<OAuthClientEntry, 'clientId' | 'clientSecret'> {
  const expand = (value: string): string => expandVariables(value, env, `${where}.oauth`);
  return { clientId: expand(clientId), ...(clientSecret !== undefined && { clientSecret: expand(clientSecret) }) };
}

function parseStdioEntry(entry: object, where: string, options: ServerEntryOptions): StdioServerEntry {
  const { env, baseDir, path } = options;
  const { command, args, cwd = '.', env: own, ...bounds } = parseInput(stdioEntrySchema, entry, [...path]);
  const program = toInstalledProgram({
    command: expandVariables(command, env, where),
    args: args.map((arg) => expandVariables(arg, env, where)),
    cwd: resolve(baseDir, expandVariables(cwd, env, where)),
  });
  return { ...program, ...bounds, env: { ...toDeclaredEnvironment(program, env), ...expandAll(own, env, where) } };
}

const expandAll = (values: Readonly<Record<string, string>>, env: Environment, where: string): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, expandVariables(value, env, where)]));
