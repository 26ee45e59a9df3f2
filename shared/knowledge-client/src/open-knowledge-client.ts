import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createAuthorize } from '@contextloom/access';
import { ContextloomError, type KnowledgeClient } from '@contextloom/contracts';
import { createUpstreams, type Embed, parseMcpConfig } from '@contextloom/mcp-client';
import type { Environment, Log } from '@contextloom/runtime';
import { createHttpKnowledgeBase } from './http-knowledge-base.ts';
import { createMcpKnowledgeClient } from './mcp-knowledge-client.ts';

/** The name of the knowledge base in a composition. */
const KNOWLEDGE_BASE = 'knowledge-base';
/** How long the knowledge base may take over one call, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** Where the knowledge base is: the values of `knowledgeClientSettings`. */
export interface KnowledgeClientChoice {
  readonly kbUrl: string | undefined;
  readonly kbHost: string | undefined;
  readonly kbPort: number | undefined;
  readonly configFile: string;
  readonly kbApiKey?: string | undefined;
  readonly keysFile?: string | undefined;
  readonly houseSecret?: string | undefined;
}

/** What finding the knowledge base needs. */
export interface OpenKnowledgeClientOptions {
  readonly config: KnowledgeClientChoice;
  /** For `${VAR}` in the composition. */
  readonly env: Environment;
  readonly log: Log;
  readonly newId: () => string;
  /** The name and version of who asks, as the server sees them. */
  readonly client: { readonly name: string; readonly version: string };
  /** Where the log of a server that is started goes. */
  readonly serverLog?: 'inherit' | 'ignore';
  /** How often a call over HTTP waits for a limit of calls; not at all by default. */
  readonly rateLimitWaits?: number | undefined;
  /** Runs a server of the composition in this process, where that was requested. */
  readonly embed?: Embed | undefined;
}

/**
 * The address of the knowledge base's HTTP service, if the settings give one. A port alone does not: it says where such a
 * service would listen, not that one runs.
 */
export function toKnowledgeBaseUrl({ kbUrl, kbHost, kbPort }: Omit<KnowledgeClientChoice, 'configFile'>) {
  if (kbUrl !== undefined) return kbUrl;
  if (kbHost === undefined) return undefined;
  // A service that listens on every address is called on this machine's own.
  const host = kbHost === '0.0.0.0' || kbHost === '::' ? '127.0.0.1' : kbHost;
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${kbPort ?? 8_000}`;
}

/**
 * Opens the knowledge base that the settings name: the HTTP service of `KB_URL` (or `KB_HOST`, `KB_PORT`), else the server
 * `knowledge-base` of the composition, started over stdio when it is first needed.
 * @throws ContextloomError `unavailable` when the settings name none, `invalid` for a composition that cannot be read
 */
export async function openKnowledgeClient(options: OpenKnowledgeClientOptions): Promise<KnowledgeClient> {
  const { config, env, log, newId, client, serverLog = 'inherit', rateLimitWaits, embed } = options;
  const url = toKnowledgeBaseUrl(config);
  if (url !== undefined) {
    const setting = config.kbUrl === undefined ? 'KB_HOST' : 'KB_URL';
    const authorize = createAuthorize({ ...config, apiKey: config.kbApiKey });
    return createHttpKnowledgeBase({
      url,
      setting,
      log,
      newId,
      authorize,
      timeoutMs: TIMEOUT_MS,
      retryDelaysMs: [200, 600],
      rateLimitWaits,
    });
  }
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
    clientName: client.name,
    clientVersion: client.version,
    stderr: serverLog,
    embed,
  });
  return createMcpKnowledgeClient({ upstreams, server: KNOWLEDGE_BASE, timeoutMs: TIMEOUT_MS, newId });
}

function noKnowledgeBase(problem: string, cause?: unknown): ContextloomError {
  const advice = 'set KB_URL to a running knowledge base, or name a composition with --config <file> or MCP_CONFIG';
  // Not `not_found`: callers would take it for a document that is not there.
  return new ContextloomError('unavailable', `no knowledge base to keep memories in: ${problem}; ${advice}`, {
    field: 'MCP_CONFIG',
    cause,
  });
}
