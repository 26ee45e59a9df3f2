import { type Route, toRoutes } from '@contextloom/mcp-kit';
import { operations } from '../operations/index.ts';
import { type ApiDeps, pageRoutes } from './page-routes.ts';
import { transferRoutes } from './transfer-routes.ts';

/** Every route of the project memory, in the order of the API reference. */
export const routes: readonly Route<ApiDeps>[] = [...toRoutes(operations), ...transferRoutes, ...pageRoutes];
