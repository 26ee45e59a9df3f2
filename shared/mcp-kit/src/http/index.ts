export * from './api.ts';
export { createHttpApp, type HttpAppOptions, readJsonBodies } from './app.ts';
export { escapeHtml, renderPage } from './docs/page.ts';
export { openDoor } from './door.ts';
export { toEntityTag, toExpectedVersion } from './entity-tags.ts';
export * from './errors.ts';
export * from './listen.ts';
export * from './mcp-endpoint.ts';
export {
  defineRoute,
  defineTextRoute,
  linesBody,
  noBody,
  noParams,
  type Route,
  type RouteCall,
  type RouteText,
} from './route.ts';
