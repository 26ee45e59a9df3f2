export { toEntityTag, toExpectedVersion } from '../route/entity-tags.ts';
export * from '../route/errors.ts';
export {
  defineRoute,
  defineTextRoute,
  linesBody,
  noBody,
  noParams,
  type Route,
  type RouteCall,
  type RouteText,
} from '../route/route.ts';
export * from './api.ts';
export { createHttpApp, type HttpAppOptions, readJsonBodies } from './app.ts';
export { escapeHtml, renderPage } from './docs/page.ts';
export { openDoor } from './door.ts';
export * from './listen.ts';
export * from './mcp-endpoint.ts';
export { type Reached, type Readiness, toReadyRoute } from './ready-route.ts';
export { openSite } from './site.ts';
