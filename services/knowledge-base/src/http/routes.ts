import { type Route, toRoutes } from '@contextloom/mcp-kit';
import type { KnowledgeBaseDeps } from '../operations/deps.ts';
import { operations } from '../operations/index.ts';
import { serviceRoutes } from './service-routes.ts';

/** Every route of the HTTP service, in the order of the API reference. */
export const routes: readonly Route<KnowledgeBaseDeps>[] = [...toRoutes(operations), ...serviceRoutes];
