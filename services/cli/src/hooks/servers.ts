import { ContextloomError } from '@contextloom/contracts';
import { createUpstreams, type ServerEntry } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import type { z } from 'zod';
import { loadComposition } from '../composition/composition.ts';
import type { CliContext } from '../context.ts';
import { toPlainLine } from '../output/text/plain.ts';
import { version } from '../version.ts';
import type { HookGlobals } from './settings.ts';

/** The servers that hooks use, by their names in a composition. */
export const hookServers = ['memory-processor', 'agent-mem'] as const;
type HookServer = (typeof hookServers)[number];

/** A way to the servers; each is started when it is first called. */
export interface HookServers {
  /** @throws ContextloomError `invalid` where the server refuses the arguments, `unavailable` and the like where it cannot be used now */
  readonly call: <S extends z.ZodType>(
    server: HookServer,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    answer: S,
  ) => Promise<z.output<S>>;
  readonly close: () => Promise<void>;
}

/** A model reads a long session part by part. */
const TIMEOUT_MS = 30 * 60_000;

/** The server as the composition starts it, its tools under their usual names. */
function toEntry(entry: ServerEntry, env: CliContext['env'], file: string): ServerEntry {
  if ('url' in entry) return entry;
  const given = Object.fromEntries(Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined));
  return { ...entry, env: { ...given, ...entry.env, TOOL_NAMES: 'dotted', MCP_CONFIG: file } };
}

/**
 * Opens the servers of the composition that hooks use, each by itself: project memory alone starts quicker than all.
 * @throws ContextloomError `not_found` where the composition lacks one
 */
export async function openHookServers(context: CliContext, globals: HookGlobals): Promise<HookServers> {
  const { servers, env, file } = await loadComposition(context, globals);
  const missing = hookServers.filter((name) => servers[name] === undefined);
  if (missing.length > 0) throw new ContextloomError('not_found', `${file} has no server "${missing.join('", "')}"`);
  const upstreams = createUpstreams({
    servers: Object.fromEntries(
      Object.entries(servers)
        .filter(([name]) => hookServers.some((one) => one === name))
        .map(([name, entry]) => [name, toEntry(entry, env, file)]),
    ),
    clientName: 'contextloom',
    clientVersion: version,
    log: silentLog,
    stderr: 'ignore',
  });
  return {
    call: async (server, tool, args, schema) => {
      const answer = await upstreams.call(server, tool, JSON.parse(JSON.stringify(args)), {
        timeoutMs: TIMEOUT_MS,
        signal: context.signal,
      });
      if (answer.kind === 'ok') return schema.parse(answer.value.structured);
      const { failure, reason } = answer;
      const message = toPlainLine(failure?.message ?? answer.answer ?? reason);
      throw new ContextloomError(failure?.code ?? 'unavailable', `${server}: ${message}`);
    },
    close: () => upstreams.close(),
  };
}
