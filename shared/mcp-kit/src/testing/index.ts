export * from './examples.ts';
export * from './schema-rules.ts';
export * from './test-client.ts';
