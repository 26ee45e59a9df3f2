import type { Log } from '@contextloom/runtime';
import {
  createApi,
  createMcpServer,
  type HttpApi,
  type McpServerFactory,
  type Route,
  toRoutes,
} from '@contextloom/server-kit';
import type { KnowledgeBase } from './domain/knowledge-base.ts';
import { serviceRoutes } from './http/service-routes.ts';
import type { KnowledgeBaseDeps } from './operations/deps.ts';
import { operations } from './operations/index.ts';

/** What the servers are built from. */
export interface KnowledgeBaseServerOptions {
  readonly knowledgeBase: KnowledgeBase;
  /** Why callers that reach some users alone are refused, where the documents are not kept apart. */
  readonly openToAll?: string | undefined;
  readonly version: string;
  readonly log: Log;
}

/** Every route of the HTTP service, in the order of the API reference. */
export const routes: readonly Route<KnowledgeBaseDeps>[] = [...toRoutes(operations), ...serviceRoutes];

/** Builds the MCP server over a knowledge base; its opener closes the knowledge base. */
export function createKnowledgeBaseServer({
  knowledgeBase,
  openToAll,
  version,
  log,
}: KnowledgeBaseServerOptions): McpServerFactory {
  return createMcpServer({
    name: 'knowledge-base',
    version,
    instructions:
      'Keeps documents with tags and metadata and finds them again by meaning and by word. Documents with metadata.user_id belong to that user: name the user in every call about them.',
    operations,
    deps: { knowledgeBase, openToAll },
    log,
  });
}

/** Builds the REST API, which the HTTP service serves next to `/mcp`. */
export function createKnowledgeBaseApi({
  knowledgeBase,
  openToAll,
  version,
  log,
}: KnowledgeBaseServerOptions): HttpApi {
  return createApi({
    title: 'Contextloom knowledge base',
    description:
      'Keeps documents with tags and metadata and finds them again by meaning and by word, in English and Chinese.',
    version,
    routes,
    deps: { knowledgeBase, openToAll },
    log,
  });
}
