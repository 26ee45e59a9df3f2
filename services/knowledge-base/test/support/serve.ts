import type { Access } from '@contextloom/access';
import type { Log } from '@contextloom/runtime';
import { createMcpEndpoint, type Listening, listenHttp } from '@contextloom/server-kit';
import { createKnowledgeBaseApi, createKnowledgeBaseServer } from '../../src/build-server.ts';
import type { KnowledgeBase } from '../../src/domain/knowledge-base.ts';

/** What a test serves, and to whom. */
export interface ServeOptions {
  readonly knowledgeBase: KnowledgeBase;
  readonly log: Log;
  readonly access?: Access;
  readonly allowedHosts?: readonly string[];
}

/** Opens the HTTP service in this process on a free port, as `dist/service.js` does. */
export function serveKnowledgeBase(options: ServeOptions): Promise<Listening> {
  const { knowledgeBase, log, access, allowedHosts = [] } = options;
  const built = { knowledgeBase, version: '0.0.0-test', log };
  const mcp = createMcpEndpoint(createKnowledgeBaseServer(built), { log, audit: access?.audit });
  return listenHttp(createKnowledgeBaseApi(built), { mcp, access, allowedHosts, host: '127.0.0.1', port: 0, log });
}
