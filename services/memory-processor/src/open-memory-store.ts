import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { createUpstreams, type Environment, type Log, parseMcpConfig } from '@contextloom/mcp-kit';
import { type Config, toKnowledgeBaseUrl } from './config.ts';
import { createHttpMemoryStore } from './store/http-memory-store.ts';
import { createMcpMemoryStore, KNOWLEDGE_BASE } from './store/mcp-memory-store.ts';
import type { MemoryStore } from './store/memory-store.ts';
import { version } from './version.ts';

/** What finding the knowledge base needs. */
export interface OpenMemoryStoreOptions {
  readonly config: Pick<Config, 'kbUrl' | 'kbHost' | 'kbPort' | 'configFile'>;
  /** For `${VAR}` in the composition. */
  readonly env: Environment;
  readonly log: Log;
  /** Where the log of a server that is started goes. */
  readonly serverLog?: 'inherit' | 'ignore';
}

/**
 * Opens the store that the settings name: the HTTP service of `KB_URL` (or `KB_HOST`, `KB_PORT`), else the server
 * `knowledge-base` of the composition, started over stdio when it is first needed.
 * @throws ContextloomError `not_found` when the settings name none, `invalid` for a composition that cannot be read
 */
export async function openMemoryStore(options: OpenMemoryStoreOptions): Promise<MemoryStore> {
  const { config, env, log, serverLog = 'inherit' } = options;
  const url = toKnowledgeBaseUrl(config);
  if (url !== undefined) return createHttpMemoryStore({ url, log });
  const file = resolve(config.configFile);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw noKnowledgeBase(`there is no composition ${file}`, cause);
  });
  const { servers } = parseMcpConfig(text, { env: { ...env, MCP_CONFIG: file }, baseDir: dirname(file), file });
  const entry = servers[KNOWLEDGE_BASE];
  if (entry === undefined) throw noKnowledgeBase(`${file} has no server "${KNOWLEDGE_BASE}"`);
  const upstreams = createUpstreams({
    servers: { [KNOWLEDGE_BASE]: entry },
    log,
    clientName: 'memory-processor',
    clientVersion: version,
    stderr: serverLog,
  });
  return createMcpMemoryStore({ upstreams });
}

function noKnowledgeBase(problem: string, cause?: unknown): ContextloomError {
  const advice = 'set KB_URL to a running knowledge base, or name a composition with --config <file> or MCP_CONFIG';
  return new ContextloomError('not_found', `no knowledge base to keep memories in: ${problem}; ${advice}`, { cause });
}
