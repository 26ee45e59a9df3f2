import { createApi, type HttpApi, type Log } from '@contextloom/mcp-kit';
import type { AgentMemory } from '../domain/agent-memory.ts';
import { entryRoutes } from './entry-routes.ts';
import { memoryErrors } from './errors.ts';
import { identityRoutes } from './identity-routes.ts';

/** What the REST door is made of. */
export interface MemoryApiOptions {
  readonly memory: AgentMemory;
  readonly version: string;
  readonly log: Log;
}

/** The routes of the REST door, in the order of its reference. */
export const routes = [...identityRoutes, ...entryRoutes];

/** Builds the REST door under `/api/v1/memory`. */
export function createMemoryApi({ memory, version, log }: MemoryApiOptions): HttpApi {
  return createApi({
    title: 'Contextloom agent memory',
    description: 'A memory in Markdown files that people read and edit too; files are the truth, and are searched.',
    version,
    routes,
    deps: { memory },
    log,
    errors: memoryErrors,
  });
}
