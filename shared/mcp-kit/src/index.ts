export * from './access/index.ts';
export * from './accounts/index.ts';
export * from './checks.ts';
export { createEmbed, type EmbeddableServer, toEmbeddable } from './embed-servers.ts';
export * from './http/index.ts';
export { MAX_BODY_BYTES } from './messages/message-size.ts';
export type { BoundParameters } from './operation/bind-parameters.ts';
export * from './operation/index.ts';
export { ignoreBrokenPipe } from './process/broken-pipe.ts';
export * from './process/command-line.ts';
export { INTERRUPTED, type Job, type JobContext, type JobReport, type RunJobOptions, runJob } from './process/job.ts';
export * from './process/log.ts';
export { userFolders } from './process/user-folders.ts';
export * from './resources/index.ts';
export * from './run-server.ts';
export { createSealer, parseSecretKey, SECRET_KEY_BYTES, type Sealer } from './secrets/sealer.ts';
export { makeSecretKeyFile, readSecretKeyFile } from './secrets/secret-key-file.ts';
export type { ListenRequest, Subscription } from './server/listening.ts';
export * from './server/server-factory.ts';
export * from './server-program.ts';
export * from './settings/config-file.ts';
export * from './settings/setting-schemas.ts';
export * from './settings/settings.ts';
export type { PromptDefinition, PromptMessage } from './tool/prompt.ts';
export type { ToolAnnotations, ToolCall } from './tool/tool.ts';
export { traceClient, traceServer } from './tracing/spans.ts';
export { type CallSummary, type CallTimes, createCallTimes } from './upstream/call-times.ts';
export * from './upstream/composition/config.ts';
export { findMissingScript, findServiceName } from './upstream/composition/entry-script.ts';
export * from './upstream/composition/env-file.ts';
export * from './upstream/composition/environment.ts';
export { expandVariables } from './upstream/composition/expand-variables.ts';
export * from './upstream/composition/installed-composition.ts';
export { parseJsonc } from './upstream/composition/jsonc.ts';
export {
  type ConnectionLimits,
  type ConnectionPool,
  createConnectionPool,
} from './upstream/connection-pool.ts';
export { createLimits, type Limits } from './upstream/limits.ts';
export { toPrincipalMeta } from './upstream/principal-meta.ts';
export { createReach, type Reach } from './upstream/reach.ts';
export { type ChildWatch, createChildWatch } from './upstream/transport/child-watch.ts';
export type { Embed } from './upstream/transport/embedded-transport.ts';
export * from './upstream/upstreams.ts';
