import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@contextloom/contracts';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { entryFile } from './running-stack.ts';

/** What a call came to: its structured content, or the words of its error. */
export interface CallResult {
  readonly structured?: unknown;
  readonly problem?: string;
}

/** The aggregator with a persona, the knowledge base and the memory processor, in real processes over stdio. */
export interface RunningAggregator {
  readonly call: (tool: string, args: JsonObject) => Promise<CallResult>;
  readonly close: () => Promise<void>;
}

/** Where the aggregator runs, and how its memory processor is started. */
export interface AggregatorOptions {
  /** Gets the composition, `mcp_config.json`, and the data; what was stored there before is there again. */
  readonly folder: string;
  /** What it offers; the tools of the profile `app` without it. */
  readonly profile?: 'all' | 'chat';
  /** Further stores, by the names of their services. */
  readonly stores?: readonly string[];
  /** What prompts are composed from, as the configuration has it. */
  readonly contextSources?: readonly JsonObject[];
  readonly memoryProcessor?: {
    /** Arguments of `node`. */
    readonly node?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  };
}

/** Starts it. */
export async function startAggregator({
  folder,
  profile,
  stores = [],
  contextSources,
  memoryProcessor = {},
}: AggregatorOptions): Promise<RunningAggregator> {
  const config = join(folder, 'mcp_config.json');
  const env = { LOG_LEVEL: 'error', KB_DATA_DIR: join(folder, 'data'), MCP_CONFIG: config };
  const data = {
    PERSONAL_MEMORY_DATA_DIR: join(folder, 'personal'),
    MULTI_USER: 'true',
    AGENT_MEMORY_DATA_DIR: join(folder, 'agent'),
    AGENT_MEMORY_WORKSPACES: join(folder, 'workspaces'),
    AGENT_MEMORY_MULTI_USER: 'true',
  };
  const node = (...args: readonly string[]) => ({ command: process.execPath, args: [...args], env });
  const mcpServers = {
    'persona-marlow': node(entryFile('persona'), '--persona', 'marlow'),
    'knowledge-base': node(entryFile('knowledge-base')),
    'memory-processor': {
      ...node(...(memoryProcessor.node ?? []), entryFile('memory-processor')),
      env: { ...env, ...memoryProcessor.env },
    },
    ...Object.fromEntries(stores.map((store) => [store, { ...node(entryFile(store)), env: { ...env, ...data } }])),
  };
  await writeFile(config, JSON.stringify({ mcpServers, contextSources, aggregator: { source_deadline_ms: 200_000 } }));
  const args = ['--config', config, ...(profile === undefined ? [] : ['--profile', profile])];
  const upstreams = createUpstreams({
    servers: { aggregator: { ...node(entryFile('context-aggregator'), ...args), cwd: folder } },
    clientName: 'test',
    clientVersion: '0',
    log: silentLog,
  });
  return {
    call: async (tool, args) => {
      const result = await upstreams.call('aggregator', tool, args, { timeoutMs: 60_000 });
      if (result.kind === 'ok') return { structured: result.value.structured };
      return { problem: result.failure?.message ?? result.reason };
    },
    close: () => upstreams.close(),
  };
}
