import type { Route } from '@contextloom/mcp-kit';
import type { KnowledgeBase } from '../domain/knowledge-base.ts';
import { documentRoutes, storingRoutes } from './document-routes.ts';
import { searchRoutes } from './search-routes.ts';
import { serviceRoutes } from './service-routes.ts';

/** Every route of the HTTP service, in the order of the API reference. */
export const routes: readonly Route<KnowledgeBase>[] = [
  ...storingRoutes,
  ...searchRoutes,
  ...documentRoutes,
  ...serviceRoutes,
];
