import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { findServiceName, type ServerEntry } from '@contextloom/mcp-client';
import { AGGREGATOR } from '../aggregator.ts';
import type { CliContext } from '../context.ts';
import type { Composition } from './composition.ts';
import { entryFile } from './installation.ts';

/** An entry of `mcpServers` as a client of any kind can use it, whatever folder it works in. */
export type ClientEntry =
  | { readonly type: 'http'; readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly command: string; readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> };

/** A client's configuration of one server, and what it leaves out. */
export interface ClientConfiguration {
  readonly name: string;
  readonly entry: ClientEntry;
  /** Variables with secrets, which are not printed. */
  readonly secrets: readonly string[];
}

/** Which engine keeps documents, and names of a Chroma server's place. The key to it is a secret. */
const STORE_PLACE = ['KB_STORE', 'CHROMA_URL', 'CHROMA_TENANT', 'CHROMA_DATABASE', 'CHROMA_COLLECTION'];
const SECRET = /(?:^|_)(?:KEY|TOKEN|PASSWORD|SECRET)$|^DATABASE_URL$/;

/** Variables that decide which store a server opens; a client starts servers in another folder and passes few variables on. */
function toStoreEnv({ env, cwd }: CliContext): Readonly<Record<string, string>> {
  const dataDir = env['KB_DATA_DIR'] ?? '';
  const place = STORE_PLACE.map((name) => [name, env[name] ?? ''] as const).filter(([, value]) => value !== '');
  return { ...(dataDir !== '' && { KB_DATA_DIR: resolve(cwd, dataDir) }), ...Object.fromEntries(place) };
}

const withEnv = (env: Readonly<Record<string, string>>) => (Object.keys(env).length > 0 ? { env } : {});

/** The aggregator for a client that starts its servers itself. The `.env` file next to the composition is read by it. */
export function toAggregatorEntry(context: CliContext, configFile: string): ClientEntry {
  const args = [entryFile(AGGREGATOR, 'server.js'), '--config', configFile];
  return { command: context.execPath, args, ...withEnv(toStoreEnv(context)) };
}

/**
 * One server of a composition, by its name or that of its service, for a client that needs no aggregator.
 * @throws ContextloomError `not_found`, with the names there are
 */
export function toServerConfiguration(
  name: string,
  { servers, file }: Composition,
  context: CliContext,
): ClientConfiguration {
  const entries = Object.entries(servers);
  const found = entries.find(([key]) => key === name) ?? entries.find(([, entry]) => findServiceName(entry) === name);
  if (found === undefined) {
    throw new ContextloomError(
      'not_found',
      `${file} has no server "${name}"; there are: ${Object.keys(servers).join(', ')}`,
    );
  }
  const [key, entry] = found;
  if (key === AGGREGATOR) return { name: key, entry: toAggregatorEntry(context, file), secrets: [] };
  return { name: key, ...toClientEntry(entry, context) };
}

function toClientEntry(entry: ServerEntry, { execPath }: CliContext): Omit<ClientConfiguration, 'name'> {
  if ('url' in entry) {
    const { url, headers } = entry;
    // Headers carry credentials, whatever they are called.
    return { entry: { type: 'http', url }, secrets: Object.keys(headers) };
  }
  const set = Object.entries(entry.env).filter(([, value]) => value !== '');
  const toAbsolute = (text: string): string => (isPath(text) ? (toExisting(resolve(entry.cwd, text)) ?? text) : text);
  return {
    entry: {
      // A client may have another PATH than this shell.
      command: entry.command === 'node' ? execPath : toAbsolute(entry.command),
      args: entry.args.map(toAbsolute),
      ...withEnv(Object.fromEntries(set.filter(([variable]) => !SECRET.test(variable)))),
    },
    secrets: set.map(([variable]) => variable).filter((variable) => SECRET.test(variable)),
  };
}

const isPath = (text: string): boolean => !text.startsWith('-') && /[\\/.]/.test(text);

function toExisting(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}
