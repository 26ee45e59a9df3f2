import { STATUS_CODES } from 'node:http';
import type { ContextloomError, ErrorCode } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import {
  createApi,
  createMcpServer,
  type ErrorFormat,
  type HttpApi,
  type McpServerFactory,
  type Route,
  statusOf,
  toRoutes,
} from '@contextloom/server-kit';
import { z } from 'zod';
import { type ApiDeps, pageRoutes } from './http/page-routes.ts';
import { transferRoutes } from './http/transfer-routes.ts';
import type { Metrics } from './metrics.ts';
import type { ProjectMemoryDeps } from './operations/deps.ts';
import { nameOperations, operations, type ToolNames, toToolNames } from './operations/index.ts';
import { createAgentGuide, createGuideResources } from './prompts/agent-guide.ts';

/** Clients of this API take 400 for a value that is not allowed. */
const toStatus = (code: ErrorCode): number => (code === 'invalid' ? 400 : statusOf(code));

const toCode = ({ code, field }: ContextloomError): string =>
  code === 'forbidden' && field === 'owner_id' ? 'ERR_OWNER_MISMATCH' : `ERR_${code.toUpperCase()}`;

/** How this API answers errors: `{error, message, code, timestamp}`. */
function createErrorFormat(clock: () => Date): ErrorFormat {
  return {
    schema: z.object({
      error: z.string().describe("The status' name."),
      message: z.string(),
      code: z.string().describe('Such as ERR_INVALID or ERR_OWNER_MISMATCH.'),
      timestamp: z.string().describe('ISO 8601.'),
    }),
    statusOf: toStatus,
    toBody: (error) => ({
      error: STATUS_CODES[toStatus(error.code)] ?? 'Error',
      message: error.message,
      code: toCode(error),
      timestamp: clock().toISOString(),
    }),
  };
}

/** What the server is built from. */
export interface ProjectMemoryServerOptions extends ProjectMemoryDeps {
  readonly version: string;
  readonly log: Log;
  readonly toolNames?: ToolNames;
}

const INSTRUCTIONS =
  'The memory that coding agents share about projects. To answer: mem.search, then mem.get with the ids, then the answer. What was decided or learned: mem.ingest_memory.';

/** Builds the MCP server `agent-mem`; the caller that opened the memory closes it. */
export function createProjectMemoryServer(options: ProjectMemoryServerOptions): McpServerFactory {
  const { version, log, toolNames = 'dotted', ownerId, open, isEmbedderLocal } = options;
  const toName = toToolNames(toolNames);
  return createMcpServer({
    name: 'agent-mem',
    version,
    instructions: toName(INSTRUCTIONS),
    operations: nameOperations(toolNames),
    prompts: [createAgentGuide(toName)],
    resources: createGuideResources(toName),
    deps: { ownerId, open, isEmbedderLocal },
    log,
  });
}

/** Every route of the project memory, in the order of the API reference. */
const routes: readonly Route<ApiDeps>[] = [...toRoutes(operations), ...transferRoutes, ...pageRoutes];

/** What the REST API is built from. */
export interface ProjectMemoryApiOptions extends ProjectMemoryServerOptions {
  readonly clock: () => Date;
  readonly token: string | undefined;
  readonly metrics: Metrics;
}

/** Builds the REST API, which is served next to `/mcp`. */
export function createProjectMemoryApi(options: ProjectMemoryApiOptions): HttpApi {
  const { version, log, ownerId, open, isEmbedderLocal, clock, token, metrics } = options;
  return createApi({
    title: 'Contextloom project memory',
    description: 'What a team of agents learned about its projects: search first, then get.',
    version,
    routes,
    deps: { ownerId, open, isEmbedderLocal, metrics },
    log,
    errors: createErrorFormat(clock),
    token,
  });
}
