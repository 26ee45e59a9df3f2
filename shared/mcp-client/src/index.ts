export { type Accounts, createAccounts } from './accounts/accounts.ts';
export type { Credential, StoredCredential } from './accounts/credential.ts';
export { type CredentialStore, openCredentialStore } from './accounts/credential-store.ts';
export { logIn } from './accounts/log-in.ts';
export { accountSettings } from './accounts/settings.ts';
export { createAvailability } from './availability.ts';
export { type CallTimes, createCallTimes } from './call-times.ts';
export { type McpConfig, parseMcpConfig } from './composition/config.ts';
export { findInstalledService } from './composition/declared-environment.ts';
export { findMissingScript, findServiceName } from './composition/entry-script.ts';
export { type EnvFile, readEnvFile, withEnvFile } from './composition/env-file.ts';
export { toServerEnvironment } from './composition/environment.ts';
export { expandVariables } from './composition/expand-variables.ts';
export {
  defaultComposition,
  installationRoot,
  installedComposition,
  ownComposition,
} from './composition/installed-composition.ts';
export { parseJsonc } from './composition/jsonc.ts';
export type { ServerEntry, StdioServerEntry } from './composition/server-entry.ts';
export { type ConnectionLimits, createConnectionPool } from './connection-pool.ts';
export { withDeadline } from './deadline.ts';
export { toFailure, type UpstreamFailure } from './failure.ts';
export { createLimits } from './limits.ts';
export { toPrincipalMeta } from './principal-meta.ts';
export {
  CALL_KEY,
  NOT_OFFERED,
  readSamplingResult,
  type Sample,
  type SamplingAnswer,
  type SamplingQuestion,
  toSamplingFailure,
  toSamplingParams,
} from './sampling.ts';
export type { ToolAnswer, UpstreamResult } from './tool-result.ts';
export { createBoundedFetch } from './transport/bounded-fetch.ts';
export { createChildWatch } from './transport/child-watch.ts';
export { createEmbeddedTransport, type Embed } from './transport/embedded-transport.ts';
export { createNodePost } from './transport/node-post.ts';
export type { Wire } from './transport/wire.ts';
export type { ServerEntries } from './upstream-set.ts';
export { createUpstreams, type UpstreamCallOptions, type UpstreamProgress, type Upstreams } from './upstreams.ts';
