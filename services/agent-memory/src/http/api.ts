import type { Log } from '@contextloom/runtime';
import { createApi, type HttpApi, toRoutes } from '@contextloom/server-kit';
import type { OwnedMemory } from '../domain/user-store.ts';
import { toDeps } from '../operations/deps.ts';
import { operations, restOperations } from '../operations/index.ts';
import { memoryErrors } from './errors.ts';

/** What the REST API is made of. */
export interface MemoryApiOptions extends OwnedMemory {
  /** Whether every call is of a session that others see. */
  readonly isShared?: boolean;
  readonly version: string;
  readonly log: Log;
}

/** Builds the REST API under `/api/v1/memory`. */
export function createMemoryApi({ isShared = false, version, log, ...owned }: MemoryApiOptions): HttpApi {
  return createApi({
    title: 'Contextloom agent memory',
    description: 'A memory in Markdown files that people read and edit too; files are the truth, and are searched.',
    version,
    routes: toRoutes([...restOperations, ...operations], isShared ? { session: 'shared' } : {}),
    deps: toDeps(owned),
    log,
    errors: memoryErrors,
  });
}
