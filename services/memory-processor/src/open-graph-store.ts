import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { createUpstreams, parseMcpConfig } from '@contextloom/mcp-client';
import type { Environment, Log } from '@contextloom/runtime';
import type { GraphStore } from './domain/graph-store.ts';
import { createPersonalMemoryGraph } from './store/personal-memory-graph.ts';
import { version } from './version.ts';

/** The name of personal memory in a composition, and the folder of its program. */
const PERSONAL_MEMORY = 'personal-memory';

/** What finding personal memory needs. */
export interface OpenGraphStoreOptions {
  readonly configFile: string;
  /** For `${VAR}` in the composition. */
  readonly env: Environment;
  readonly log: Log;
}

async function readComposition(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ContextloomError('unavailable', `the composition ${file} cannot be read`, { cause: error });
  }
}

/**
 * Opens the personal memory of a composition, which is started when it is first needed; undefined where there is none.
 * @throws ContextloomError `invalid` for a composition that cannot be read
 */
export async function openGraphStore({ configFile, env, log }: OpenGraphStoreOptions): Promise<GraphStore | undefined> {
  const file = resolve(configFile);
  const text = await readComposition(file);
  if (text === undefined) return undefined;
  const { servers } = parseMcpConfig(text, { env: { ...env, MCP_CONFIG: file }, baseDir: dirname(file), file });
  const common = { log, clientName: 'memory-processor', clientVersion: version, stderr: 'inherit' } as const;
  const upstreams = createUpstreams({ servers, ...common });
  const names = upstreams.names();
  const server = names.find((name) => upstreams.serviceOf(name) === PERSONAL_MEMORY);
  if (server !== undefined || names.includes(PERSONAL_MEMORY))
    return createPersonalMemoryGraph({ upstreams, server: server ?? PERSONAL_MEMORY });
  await upstreams.close();
  return undefined;
}
