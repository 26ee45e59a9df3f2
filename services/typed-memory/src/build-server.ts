import type { Log } from '@contextloom/runtime';
import { createApi, createMcpServer, type HttpApi, type ServerFactory } from '@contextloom/server-kit';
import { routesFor } from './http/routes.ts';
import type { TypedMemoryDeps } from './operations/deps.ts';
import { operations } from './operations/index.ts';
import { resources } from './resources/index.ts';

/** What the server is built from. */
export interface TypedMemoryServerOptions extends TypedMemoryDeps {
  /** The one user whose memories these are; undefined where each call names its user. */
  readonly userId: string | undefined;
  /** Callers over HTTP must send it. */
  readonly token?: string | undefined;
  readonly log: Log;
}

const INSTRUCTIONS =
  'Long-term memory of one user. Start with memory_get_profile; memory_search before answering and before storing; memory_add for what is worth keeping; memory_chat answers and remembers by itself.';

/** Builds the MCP server and its HTTP mirror. */
export function createTypedMemoryServer(options: TypedMemoryServerOptions): {
  readonly factory: ServerFactory;
  readonly api: HttpApi;
} {
  const { userId, token, log, ...deps } = options;
  const factory = createMcpServer({
    name: 'typed-memory',
    version: deps.version,
    instructions: INSTRUCTIONS,
    operations,
    resources,
    ...(userId !== undefined && { bound: { user_id: userId } }),
    deps,
    log,
  });
  const api = createApi({
    title: 'Contextloom typed memory',
    description: 'Six kinds of memory of one user: the tools of the MCP server over plain HTTP.',
    version: deps.version,
    routes: routesFor(userId),
    deps,
    log,
    token,
  });
  return { factory, api };
}
