export { type RestRequest, toRequest } from './authorization/calls.ts';
export { tryAuthorization } from './authorization.ts';
export { checkExamples } from './examples.ts';
export { startHttpGate } from './http-gate.ts';
export { findUnfitSchemas } from './schema-rules.ts';
export { connectInMemory, connectOverFetch, connectOverHttp, type TestClient } from './test-client.ts';
