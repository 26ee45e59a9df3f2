export { type Check, type CheckOutcome, runCheck } from './checks.ts';
export { createEmbed, type EmbeddableServer, toEmbeddable } from './embed-servers.ts';
export { createApi, type HttpApi } from './http/api.ts';
export { createHttpApp } from './http/app.ts';
export { escapeHtml, renderPage } from './http/docs/page.ts';
export { type Listening, listen } from './http/listen.ts';
export { listenHttp } from './http/listen-http.ts';
export { createMcpEndpoint, type McpEndpoint } from './http/mcp-endpoint.ts';
export { type Reached, type Readiness, toReadyRoute } from './http/ready-route.ts';
export type { OperationContext } from './operation/context.ts';
export { defineForgetUser, toUserHash, withHashedSubjects } from './operation/forget-user.ts';
export { defineJobOperations } from './operation/job-operations.ts';
export { leaveOutPrivate } from './operation/leave-out-private.ts';
export { defineOperation, type Operation } from './operation/operation.ts';
export { toRoutes } from './operation/to-route.ts';
export { defineUserStoreOperations } from './operation/user-store.ts';
export { loadLifetimes, privacySettings } from './privacy/privacy.ts';
export { type Changes, createChanges } from './resources/changes.ts';
export { defineResource, type Resource } from './resources/resource.ts';
export { expandTemplate } from './resources/uri-template.ts';
export { toEntityTag, toExpectedVersion } from './route/entity-tags.ts';
export { addErrorHandling, type ErrorFormat, houseErrors, statusOf } from './route/errors.ts';
export { defineRoute, defineTextRoute, linesBody, noBody, noParams, type Route, readsLines } from './route/route.ts';
export { runServer } from './run-server.ts';
export type { ListenRequest, Subscription } from './server/listening.ts';
export {
  createMcpServer,
  type HeadedRequest,
  type McpServerFactory,
  type ServerFactory,
} from './server/server-factory.ts';
export type { AuthorizationOptions, BuildContext, Runtime, ServerProgram } from './server-program.ts';
export type { PromptDefinition } from './tool/prompt.ts';
export type { ToolCall } from './tool/tool.ts';
