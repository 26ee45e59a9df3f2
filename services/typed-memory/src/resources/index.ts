import { userIdSchema } from '@contextloom/contracts';
import { defineResource, type Resource } from '@contextloom/server-kit';
import { z } from 'zod';
import type { TypedMemoryDeps } from '../operations/deps.ts';
import { memoryResource, readStats, readStatus } from './read.ts';

const toText = (value: object): { readonly text: string } => ({ text: JSON.stringify(value, null, 2) });
const json = { mimeType: 'application/json' } as const;
const user = z.object({ user_id: userIdSchema });

/** What can be read of the server and of one user's memories. A server for one user has it in no address. */
export const resources: readonly Resource<TypedMemoryDeps>[] = [
  defineResource({
    uri: 'mirix://status',
    name: 'status',
    title: 'Status',
    description: 'Whether memories can be stored and found now, and where they are kept.',
    ...json,
    variables: z.object({}),
    read: async (_variables, deps: TypedMemoryDeps, { signal }) => toText(await readStatus(deps, signal)),
  }),
  defineResource({
    uri: 'mirix://memory/stats{?user_id}',
    name: 'memory-stats',
    title: 'Memory statistics',
    description: 'How many memories of each type there are.',
    ...json,
    variables: user,
    read: async ({ user_id }, deps: TypedMemoryDeps, { signal }) => toText(await readStats(user_id, deps, signal)),
  }),
  defineResource({
    uri: 'mirix://memories/{memory_id}{?user_id}',
    name: 'memory',
    title: 'One memory',
    description: 'The whole of one memory, by the id that memory_add gave; a vault item shows its label.',
    ...json,
    variables: user.extend({ memory_id: z.string().max(256) }),
    read: async ({ user_id, memory_id }, deps: TypedMemoryDeps, { signal }) =>
      toText(await memoryResource(user_id, memory_id, deps, signal)),
  }),
];
