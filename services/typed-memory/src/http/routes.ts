import { type Principal, requireReached } from '@contextloom/access';
import { userIdSchema } from '@contextloom/contracts';
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

/** Every route over HTTP: for one user, or for the user whom each request names. */
export function routesFor(userId: string | undefined): readonly Route<TypedMemoryDeps>[] {
  const user: z.ZodObject = userId === undefined ? z.object({ user_id: userIdSchema }) : noParams;
  const toUser = (params: Readonly<Record<string, unknown>>, { users }: Principal): string => {
    const id = userId ?? String(params['user_id']);
    requireReached(users, id, 'user_id');
    return id;
  };
  return [
    ...toRoutes(operations, userId === undefined ? {} : { user_id: userId }),
    statusRoute('/resources/status'),
    defineRoute({
      method: 'get',
      path: '/resources/memory/stats',
      summary: 'How many memories of each type there are',
      params: user,
      body: noBody,
      answer: statsSchema,
      run: ({ params, signal, principal }, deps: TypedMemoryDeps) => readStats(toUser(params, principal), deps, signal),
    }),
    defineRoute({
      method: 'get',
      path: '/resources/memories/:memory_id',
      summary: 'One memory as a whole',
      params: user.extend({ memory_id: z.string().max(256) }),
      body: noBody,
      answer: memorySchema,
      errors: ['not_found'],
      run: ({ params, signal, principal }, deps: TypedMemoryDeps) =>
        memoryResource(toUser(params, principal), String(params['memory_id']), deps, signal),
    }),
    statusRoute('/health'),
  ];
}
