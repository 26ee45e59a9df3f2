import { type BoundParameters, bindParameters, defineRoute, noBody, noParams, type Route } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { memoryResource, readStats, readStatus, statsSchema, statusSchema } from '../resources/read.ts';
import type { TypedMemoryDeps } from '../tools/deps.ts';
import { memorySchema } from '../tools/fields.ts';
import { tools } from '../tools/index.ts';

const silentCall = { reportProgress: () => undefined };

/** The tools as routes, for the same user as over MCP. */
function toToolRoutes(bound: BoundParameters): readonly Route<TypedMemoryDeps>[] {
  return bindParameters(tools, bound).map((tool) =>
    defineRoute({
      method: 'post',
      path: `/tools/${tool.name}`,
      summary: tool.title,
      note: tool.description,
      params: noParams,
      // Loose, so that a call which names another user is refused and not answered for this one.
      body: tool.input.loose(),
      answer: tool.output,
      errors: ['unavailable', 'timeout'],
      run: async ({ body, signal, principal }, deps: TypedMemoryDeps) => {
        const { structured } = await tool.invoke(body, deps, { signal, principal, ...silentCall });
        return structured;
      },
    }),
  );
}

const statusRoute = (path: string): Route<TypedMemoryDeps> =>
  defineRoute({
    method: 'get',
    path,
    summary: 'Whether the service can be used',
    params: noParams,
    body: noBody,
    answer: statusSchema,
    statuses: { 200: 'It can be used.', 503: 'Its backend cannot be used; `reason` says why.' },
    statusOf: ({ status }) => (status === 'running' ? 200 : 503),
    run: ({ signal }, deps: TypedMemoryDeps) => readStatus(deps, signal),
  });

/** Every route of the HTTP door, for one user. */
export function toRoutes(userId: string): readonly Route<TypedMemoryDeps>[] {
  return [
    ...toToolRoutes({ user_id: userId }),
    statusRoute('/resources/status'),
    defineRoute({
      method: 'get',
      path: '/resources/memory/stats',
      summary: 'How many memories of each type there are',
      params: noParams,
      body: noBody,
      answer: statsSchema,
      run: ({ signal }, deps: TypedMemoryDeps) => readStats(userId, deps, signal),
    }),
    defineRoute({
      method: 'get',
      path: '/resources/memories/:memory_id',
      summary: 'One memory as a whole',
      params: z.object({ memory_id: z.string().max(256) }),
      body: noBody,
      answer: memorySchema,
      errors: ['not_found'],
      run: ({ params, signal }, deps: TypedMemoryDeps) => memoryResource(userId, params.memory_id, deps, signal),
    }),
    statusRoute('/health'),
  ];
}
