import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { type Access, createApi, createMcpEndpoint, type Listening, type Log, openDoor } from '@contextloom/mcp-kit';
import { createKnowledgeBaseServer } from '../build-server.ts';
import type { KnowledgeBase } from '../domain/knowledge-base.ts';
import { routes } from './routes.ts';

/** What serves the knowledge base, and where. */
export interface ServeOptions {
  readonly knowledgeBase: KnowledgeBase;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly version: string;
  /** Who may call; without it everybody is whoever started the service. */
  readonly access?: Access | undefined;
  readonly isInsecure?: boolean;
  readonly log: Log;
}

/**
 * Opens the HTTP service, MCP at `/mcp` included. Closing it lets running requests finish; the knowledge base stays open.
 * @throws ContextloomError `conflict` when the port cannot be had
 */
export async function serveKnowledgeBase(options: ServeOptions): Promise<Listening> {
  const { knowledgeBase, access, version, log, ...address } = options;
  const mcp = createMcpEndpoint(createKnowledgeBaseServer({ knowledgeBase, version, log }), {
    log,
    audit: access?.audit,
  });
  const api = createApi({
    title: 'Contextloom knowledge base',
    description:
      'Keeps documents with tags and metadata and finds them again by meaning and by word, in English and Chinese.',
    version,
    routes,
    deps: { knowledgeBase },
    log,
  });
  return openDoor(api, { ...address, mcp, access, log }).catch((error: unknown) => {
    if (!isContextloomError(error)) throw error;
    throw new ContextloomError(error.code, `${error.message} (KB_PORT, KB_HOST)`, { cause: error });
  });
}
