import { type ErrorCode, errorCodes } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import { createApi, type ErrorFormat, type HttpApi, statusOf, toRoutes } from '@contextloom/server-kit';
import { z } from 'zod';
import type { OwnedMemory } from '../domain/user-store.ts';
import { toDeps } from '../operations/deps.ts';
import { operations, operationsOfUsers, restOperations, restOperationsOfUsers } from '../operations/index.ts';
import type { WorkspacesDeps } from '../operations/of-users.ts';

/** What a caller can do, where the message does not say it. */
const suggestions: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_found: 'List entries to see what there is; ids never change.',
  conflict: 'Try again; if it stays, look at the file.',
  invalid: 'Look the field up in /docs.',
  malformed: 'Send JSON, as /docs shows it.',
  unavailable: 'Try again later; the log of the server says why.',
};

/** Errors as `{code, message, details?, suggestion?}`. */
const memoryErrors: ErrorFormat = {
  schema: z.object({
    code: z.enum(errorCodes),
    message: z.string(),
    details: z.object({ field: z.string() }).optional().describe('The input that is wrong.'),
    suggestion: z.string().optional(),
  }),
  statusOf,
  toBody: ({ code, message, field }) => ({
    code,
    message,
    ...(field !== undefined && field !== '' && { details: { field } }),
    ...(suggestions[code] !== undefined && { suggestion: suggestions[code] }),
  }),
};

const WORDS = {
  title: 'Contextloom agent memory',
  description: 'A memory in Markdown files that people read and edit too; files are the truth, and are searched.',
};

/** What an API is made of, whosever the memory is. */
interface ApiOptions {
  /** Whether every call is of a session that others see. */
  readonly isShared?: boolean;
  readonly version: string;
  readonly log: Log;
}

const toBound = (isShared = false): Readonly<Record<string, string>> => (isShared ? { session: 'shared' } : {});

/** What the REST API over one workspace is made of. */
export type MemoryApiOptions = ApiOptions & OwnedMemory;

/** Builds the REST API under `/api/v1/memory`. */
export function createMemoryApi({ isShared, version, log, ...owned }: MemoryApiOptions): HttpApi {
  return createApi({
    ...WORDS,
    version,
    routes: toRoutes([...restOperations, ...operations], toBound(isShared)),
    deps: toDeps(owned),
    log,
    errors: memoryErrors,
  });
}

/** The same over the workspaces of all users: each request names whose. */
export function createMemoryApiOfUsers({ isShared, version, log, workspaces }: ApiOptions & WorkspacesDeps): HttpApi {
  return createApi({
    ...WORDS,
    version,
    routes: toRoutes([...restOperationsOfUsers, ...operationsOfUsers], toBound(isShared)),
    deps: { workspaces },
    log,
    errors: memoryErrors,
  });
}
