export * from './api.ts';
export * from './app.ts';
export { toEntityTag, toExpectedVersion } from './entity-tags.ts';
export * from './errors.ts';
export * from './listen.ts';
export * from './mcp-endpoint.ts';
export * from './route.ts';
