export * from './http/index.ts';
export * from './log.ts';
export * from './run-server.ts';
export * from './server-factory.ts';
export * from './settings.ts';
export * from './tool.ts';
export * from './upstream/config.ts';
export * from './upstream/upstreams.ts';
