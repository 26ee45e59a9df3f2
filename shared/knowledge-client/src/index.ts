export * from './http-knowledge-base.ts';
export * from './mcp-knowledge-client.ts';
export * from './open-knowledge-client.ts';
export * from './settings.ts';
