import { createMcpServer, type Log, type McpServerFactory } from '@contextloom/mcp-kit';
import type { KnowledgeBase } from './domain/knowledge-base.ts';
import { operations } from './operations/index.ts';

/** What the MCP server is built from. */
export interface KnowledgeBaseServerOptions {
  readonly knowledgeBase: KnowledgeBase;
  readonly version: string;
  readonly log: Log;
}

/** Builds the MCP server over a knowledge base; whoever opened the knowledge base closes it. */
export function createKnowledgeBaseServer({
  knowledgeBase,
  version,
  log,
}: KnowledgeBaseServerOptions): McpServerFactory {
  return createMcpServer({
    name: 'knowledge-base',
    version,
    instructions:
      'Keeps documents with tags and metadata and finds them again by meaning and by word. Documents with metadata.user_id belong to that user: name the user in every call about them.',
    operations,
    deps: { knowledgeBase },
    log,
  });
}
