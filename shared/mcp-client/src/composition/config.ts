import { ContextloomError, parseInput } from '@contextloom/contracts';
import type { Environment } from '@contextloom/runtime';
import { z } from 'zod';
import { parseJsonc } from './jsonc.ts';
import { parseServerEntry, type ServerEntry } from './server-entry.ts';

export type { HttpServerEntry, ServerEntry, StdioServerEntry } from './server-entry.ts';

/** Read in two steps, so that an entry that is switched off may be unfinished. */
const entriesSchema = z.record(z.string(), z.looseObject({ disabled: z.boolean().default(false) }));

const configSchema = z.object({
  mcpServers: entriesSchema.optional(),
  /** As VS Code calls them. */
  servers: entriesSchema.optional(),
  aggregator: z.unknown().optional(),
  contextSources: z.unknown().optional(),
});

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
 * Reads a composition, which may hold comments: its servers are those of `mcpServers` and, as VS Code names them, of `servers`.
 * `${VAR}`, `${env:VAR}` and `${VAR:-default}` are expanded in every string, a relative `cwd` starts at `baseDir`, entries with
 * `disabled: true` are left out. A server of this installation gets the variables that it declares besides those that its entry
 * names, which win.
 * @throws ContextloomError `invalid`, naming the file and the key
 */
export function parseMcpConfig(text: string, options: ParseMcpConfigOptions): McpConfig {
  const { env, baseDir, file } = options;
  const { mcpServers, servers, ...rest } = parseInput(configSchema, parseJsonc(text, file), [file]);
  if (mcpServers === undefined && servers === undefined) {
    throw new ContextloomError('invalid', `${file} needs "mcpServers", an object with an entry for each server`, {
      field: 'mcpServers',
    });
  }
  const twice = Object.keys(servers ?? {}).find((name) => mcpServers !== undefined && Object.hasOwn(mcpServers, name));
  if (twice !== undefined) {
    throw new ContextloomError('invalid', `${file} has "${twice}" in both mcpServers and servers: keep one of them`, {
      field: `servers.${twice}`,
    });
  }
  const read = (key: string, entries: z.output<typeof entriesSchema> = {}) =>
    Object.entries(entries)
      .filter(([, { disabled }]) => !disabled)
      .map(([name, entry]) => [name, parseServerEntry(entry, { env, baseDir, path: [file, key, name] })] as const);
  const { aggregator, contextSources } = rest;
  const all = [...read('mcpServers', mcpServers), ...read('servers', servers)];
  return { servers: Object.fromEntries(all), aggregator, contextSources };
}
