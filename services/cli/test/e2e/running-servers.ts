import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@contextloom/contracts';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { entryFile, startHttp } from './running-stack.ts';

/** Every store of one user behind an aggregator, and the HTTP service of documents, in real processes over one folder. */
export interface RunningServers {
  /** Where everything is stored. */
  readonly data: string;
  /** Calls a tool of the aggregator's profile of all tools. @throws Error where it answers with one */
  readonly call: (tool: string, args: JsonObject) => Promise<JsonObject>;
  /** Calls the HTTP service of documents. @throws Error where it answers with one */
  readonly rest: (method: string, path: string, body: unknown) => Promise<void>;
  /** Stops all, and removes the folder. */
  readonly stop: () => Promise<void>;
}

/** Starts them with what may not be stored, and for how long. */
export async function startServers({
  userId,
  privacy,
}: {
  readonly userId: string;
  readonly privacy: object;
}): Promise<RunningServers> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-servers-'));
  const data = join(folder, 'data');
  const config = join(folder, 'mcp_config.json');
  const env = {
    LOG_LEVEL: 'error',
    PRIVACY_FILE: join(folder, 'privacy.json'),
    MCP_CONFIG: config,
    KB_DATA_DIR: join(data, 'kb'),
    MEMORY_PROCESSOR_DATA_DIR: join(data, 'mp'),
    DB_PATH: join(data, 'memory.db'),
    AGENT_MEMORY_DIR: join(data, 'agent'),
    DEFAULT_USER_ID: userId,
    XDG_DATA_HOME: data,
    XDG_CONFIG_HOME: data,
    HOME: data,
  };
  await writeFile(env.PRIVACY_FILE, JSON.stringify(privacy));
  const node = (service: string, ...args: string[]) => ({
    command: process.execPath,
    args: [entryFile(service), ...args],
    env,
    cwd: folder,
  });
  const mcpServers = {
    'persona-marlow': node('persona', '--persona', 'marlow'),
    'knowledge-base': node('knowledge-base'),
    'memory-processor': node('memory-processor'),
    'personal-memory': node('personal-memory', '--multi-user'),
    'typed-memory': node('typed-memory'),
    'agent-memory': node('agent-memory'),
    'agent-mem': node('project-memory'),
  };
  await writeFile(config, JSON.stringify({ mcpServers, aggregator: { source_deadline_ms: 200_000 } }));
  const aggregator = await startHttp((port) => ({
    args: [entryFile('context-aggregator'), '--config', config, '--http', port],
    env,
  }));
  const service = await startHttp((port) => ({
    args: [entryFile('knowledge-base', 'service')],
    env: { ...env, KB_PORT: port },
  }));
  const upstreams = createUpstreams({
    servers: { all: { url: `${aggregator.url}/mcp/all`, headers: {} } },
    clientName: 'test',
    clientVersion: '0',
    log: silentLog,
  });
  return {
    data,
    call: async (tool, args) => {
      const result = await upstreams.call('all', tool, args, { timeoutMs: 120_000 });
      if (result.kind !== 'ok') throw new Error(`${tool}: ${JSON.stringify(result)}`);
      return result.value.structured ?? {};
    },
    rest: async (method, path, body) => {
      const init = { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
      const response = await fetch(`${service.url}${path}`, init);
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    },
    stop: async () => {
      await upstreams.close();
      for (const { child } of [aggregator, service]) {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
