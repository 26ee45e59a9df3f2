import { silentLog } from '@contextloom/runtime';
import { createMcpEndpoint, listen } from '@contextloom/server-kit';
import { createProjectMemoryApi, createProjectMemoryServer } from '../../src/build-server.ts';
import type { ProjectMemory } from '../../src/domain/project-memory.ts';
import { createMetrics } from '../../src/metrics.ts';
import { NOW } from './memory.ts';

/** The REST API and MCP on a free port. */
export interface TestHttp {
  readonly url: string;
  readonly request: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<{
    readonly status: number;
    // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire brings
    readonly json: any;
  }>;
  readonly close: () => Promise<void>;
}

/** Serves a memory over HTTP. */
export async function serve(memory: ProjectMemory, ownerId: string, token?: string): Promise<TestHttp> {
  const metrics = createMetrics();
  const options = { ownerId, version: '0', log: silentLog, open: async () => metrics.observe(memory) };
  const mcp = createMcpEndpoint(createProjectMemoryServer(options), { log: silentLog });
  const api = createProjectMemoryApi({ ...options, clock: () => NOW, token, metrics });
  const listening = await listen(await api.toApp({ mcp }), { host: '127.0.0.1', port: 0 });
  return {
    url: listening.url,
    request: async (method, path, body, headers = {}) => {
      const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await fetch(`${listening.url}${path}`, { method, headers: { ...type, ...headers }, ...sent });
      const text = await response.text();
      return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
    },
    close: async () => {
      await mcp.close();
      await listening.close();
    },
  };
}
