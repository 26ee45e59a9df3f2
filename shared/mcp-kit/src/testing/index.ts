export { type RestRequest, toRequest } from './authorization/calls.ts';
export * from './authorization.ts';
export * from './examples.ts';
export * from './http-gate.ts';
export * from './schema-rules.ts';
export * from './test-client.ts';
