export * from './app.ts';
export * from './errors.ts';
export * from './listen.ts';
export * from './mcp-endpoint.ts';
