import { requireReached } from '@contextloom/access';
import { memorySchema } from '@contextloom/contracts/typed-memory';
import { defineRoute, noBody, noParams, type Route, toRoutes } from '@contextloom/server-kit';
import { z } from 'zod';
import type { TypedMemoryDeps } from '../operations/deps.ts';
import { operations } from '../operations/index.ts';
import { memoryResource, readStats, readStatus, statsSchema, statusSchema } from '../resources/read.ts';

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
export function routesFor(userId: string): readonly Route<TypedMemoryDeps>[] {
  return [
    ...toRoutes(operations, { user_id: userId }),
    statusRoute('/resources/status'),
    defineRoute({
      method: 'get',
      path: '/resources/memory/stats',
      summary: 'How many memories of each type there are',
      params: noParams,
      body: noBody,
      answer: statsSchema,
      run: ({ signal, principal }, deps: TypedMemoryDeps) => {
        requireReached(principal.users, userId, 'user_id');
        return readStats(userId, deps, signal);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/resources/memories/:memory_id',
      summary: 'One memory as a whole',
      params: z.object({ memory_id: z.string().max(256) }),
      body: noBody,
      answer: memorySchema,
      errors: ['not_found'],
      run: ({ params, signal, principal }, deps: TypedMemoryDeps) => {
        requireReached(principal.users, userId, 'user_id');
        return memoryResource(userId, params.memory_id, deps, signal);
      },
    }),
    statusRoute('/health'),
  ];
}
