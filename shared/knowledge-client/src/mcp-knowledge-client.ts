import {
  addManyResponseSchema,
  ContextloomError,
  changedResponseSchema,
  deletedResponseSchema,
  documentResponseSchema,
  fromReportedFailure,
  type JsonObject,
  type KnowledgeClient,
  listResponseSchema,
  searchResponseSchema,
  statsResponseSchema,
} from '@contextloom/contracts';
import type { Upstreams } from '@contextloom/mcp-client';
import type { z } from 'zod';

/** What the MCP adapter is built from. */
export interface McpKnowledgeClientOptions {
  /** The composition that has the knowledge base; closing the client closes it. */
  readonly upstreams: Upstreams;
  /** The name of the knowledge base in it. */
  readonly server: string;
  /** How long a call may take, start-up of the server included, in milliseconds. */
  readonly timeoutMs: number;
  /** Makes ids for documents that have none. */
  readonly newId: () => string;
}

/** Leaves out what is undefined: an argument that is absent is not sent. */
function toArguments(args: object): JsonObject {
  return JSON.parse(JSON.stringify(args));
}

/** The knowledge base of a composition, over MCP; errors of ours arrive with the same code and words. */
export function createMcpKnowledgeClient(options: McpKnowledgeClientOptions): KnowledgeClient {
  const { upstreams, server, timeoutMs, newId } = options;

  async function call<A extends z.ZodType>(tool: string, args: object, answer: A): Promise<z.output<A>> {
    const result = await upstreams.call(server, tool, toArguments(args), { timeoutMs });
    if (result.kind === 'ok') {
      const parsed = answer.safeParse(result.value.structured);
      if (parsed.success) return parsed.data;
      const message = `the server ${server} did not answer ${tool} as a knowledge base`;
      throw new ContextloomError('unavailable', message, { cause: parsed.error });
    }
    if (result.failure !== undefined) throw fromReportedFailure(result.failure);
    // The words of a server that is not ours go to the log.
    if (result.kind === 'tool_error') {
      const cause = new Error(result.answer);
      throw new ContextloomError('unavailable', `the server ${server} refused ${tool}`, { cause });
    }
    const code = result.kind === 'timeout' ? 'timeout' : 'unavailable';
    throw new ContextloomError(code, `the knowledge base cannot be used: ${server} ${result.reason}`);
  }

  const find: KnowledgeClient['find'] = async (request) => {
    const { success: _, ...found } = await call('search_documents', request, searchResponseSchema);
    return found;
  };

  return {
    add: async (documents) => {
      const named = documents.map((document) => ({ ...document, doc_id: document.doc_id ?? newId() }));
      return (await call('add_documents', { documents: named }, addManyResponseSchema)).document_ids;
    },
    search: async (request) => (await find(request)).results,
    find,
    list: async (request) => {
      const { success: _, ...page } = await call('list_documents', request, listResponseSchema);
      return page;
    },
    get: async ({ id, userId }) =>
      (await call('get_document', { doc_id: id, user_id: userId }, documentResponseSchema)).document,
    update: async ({ id, userId, version }, patch) => {
      const args = { doc_id: id, user_id: userId, version, ...patch };
      const { document, consequences } = await call('update_document', args, changedResponseSchema);
      return { ...document, ...(consequences && { consequences }) };
    },
    delete: async ({ id, userId, version }, { retract = true } = {}) => {
      const args = { doc_id: id, user_id: userId, version, ...(!retract && { retract }) };
      return (await call('delete_document', args, deletedResponseSchema)).consequences ?? [];
    },
    stats: async (userId) => (await call('get_stats', { user_id: userId }, statsResponseSchema)).stats,
    close: () => upstreams.close(),
  };
}
