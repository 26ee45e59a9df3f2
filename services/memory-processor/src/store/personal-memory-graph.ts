import {
  ADD_GRAPH,
  addedGraphSchema,
  ContextloomError,
  fromReportedFailure,
  type JsonObject,
  REMOVE_IMPORT,
  removedImportSchema,
} from '@contextloom/contracts';
import type { Upstreams } from '@contextloom/mcp-client';
import type { z } from 'zod';
import type { GraphStore } from '../domain/graph-store.ts';

/** How long a call may take, start-up of the server included, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** Where personal memory is. */
export interface PersonalMemoryGraphOptions {
  /** The composition that has it; closing the store closes it. */
  readonly upstreams: Upstreams;
  /** Its name there. */
  readonly server: string;
}

/** Keeps graphs in the personal memory of a composition, over MCP. */
export function createPersonalMemoryGraph({ upstreams, server }: PersonalMemoryGraphOptions): GraphStore {
  async function call<A extends z.ZodType>(tool: string, args: object, answer: A): Promise<z.output<A>> {
    const sent: JsonObject = JSON.parse(JSON.stringify(args));
    const result = await upstreams.call(server, tool, sent, { timeoutMs: TIMEOUT_MS });
    if (result.kind === 'ok') {
      const parsed = answer.safeParse(result.value.structured);
      if (parsed.success) return parsed.data;
      const message = `the server ${server} did not answer ${tool} as a personal memory`;
      throw new ContextloomError('unavailable', message, { cause: parsed.error });
    }
    if (result.failure !== undefined) throw fromReportedFailure(result.failure);
    if (result.kind === 'tool_error') {
      const cause = new Error(result.answer);
      throw new ContextloomError('unavailable', `the server ${server} refused ${tool}`, { cause });
    }
    const code = result.kind === 'timeout' ? 'timeout' : 'unavailable';
    throw new ContextloomError(code, `personal memory cannot be used: ${server} ${result.reason}`);
  }
  return {
    add: async (userId, importId, batch) => {
      try {
        return await call(ADD_GRAPH, { user_id: userId, import_id: importId, ...batch }, addedGraphSchema);
      } catch (error) {
        if (!(error instanceof ContextloomError) || error.code !== 'forbidden') throw error;
        return {
          refused: `${server} serves one user alone, who is not "${userId}": set MULTI_USER=true, which lets it serve all, and import again`,
        };
      }
    },
    remove: (userId, importId) => call(REMOVE_IMPORT, { user_id: userId, import_id: importId }, removedImportSchema),
    close: () => upstreams.close(),
  };
}
