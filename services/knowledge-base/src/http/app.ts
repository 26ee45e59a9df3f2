import { addErrorHandling, createHttpApp, type Log, type McpEndpoint, readJsonBodies } from '@contextloom/mcp-kit';
import type { Express, RequestHandler } from 'express';
import type { KnowledgeBase } from '../domain/knowledge-base.ts';
import { renderApiPage } from './api-page.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

/** What the HTTP service is built from. */
export interface KnowledgeBaseAppOptions {
  readonly knowledgeBase: KnowledgeBase;
  readonly version: string;
  readonly log: Log;
  /** The same knowledge base over MCP, served at `/mcp`. */
  readonly mcp?: McpEndpoint;
  /** Host names beside loopback's under which the service is reached. */
  readonly allowedHosts?: readonly string[];
}

function toRequestHandler(route: Route, knowledgeBase: KnowledgeBase): RequestHandler {
  return async (request, response) => {
    const { json, status, etag } = await route.handle(
      { params: { ...request.query, ...request.params }, body: request.body, ifMatch: request.get('if-match') },
      knowledgeBase,
    );
    if (etag !== undefined) response.set('ETag', etag);
    response.status(status).json(json);
  };
}

/** Builds the HTTP service over a knowledge base: the routes, their reference at `/docs`, and MCP at `/mcp`. */
export function createKnowledgeBaseApp(options: KnowledgeBaseAppOptions): Express {
  const { knowledgeBase, version, log, mcp, allowedHosts = [] } = options;
  const app = createHttpApp({ allowedHosts });
  const page = renderApiPage(routes, version);
  app.use((_request, response, next) => {
    response.set({ 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  if (mcp !== undefined) app.all('/mcp', mcp.handle);
  app.get('/docs', (_request, response) => {
    response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'").type('html').send(page);
  });
  readJsonBodies(app);
  for (const route of routes) app[route.method](route.path, toRequestHandler(route, knowledgeBase));
  addErrorHandling(app, { log });
  return app;
}
