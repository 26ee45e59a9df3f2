import { ContextloomError, fromToldFailure, type JsonObject } from '@contextloom/contracts';
import type { Upstreams } from '@contextloom/mcp-kit';
import { createKnowledgeBaseStore, ORDER_TIMEOUT_MS } from './knowledge-base-store.ts';
import type { MemoryStore } from './memory-store.ts';

/** The name of the knowledge base in a composition. */
export const KNOWLEDGE_BASE = 'knowledge-base';

const TOOLS = { add: 'add_documents', list: 'list_documents', delete: 'delete_document' } as const;

/** Keeps memories in the `knowledge-base` server of a composition, over MCP; closing it ends the server it started. */
export function createMcpMemoryStore({ upstreams }: { readonly upstreams: Upstreams }): MemoryStore {
  async function send(order: keyof typeof TOOLS, body: JsonObject): Promise<unknown> {
    const result = await upstreams.call(KNOWLEDGE_BASE, TOOLS[order], body, { timeoutMs: ORDER_TIMEOUT_MS });
    if (result.kind === 'ok') return result.value.structured;
    if (result.failure !== undefined) throw fromToldFailure(result.failure);
    // The words of a server that is not ours go to the log.
    if (result.kind === 'tool_error') {
      const cause = new Error(result.answer);
      throw new ContextloomError('unavailable', `the server ${KNOWLEDGE_BASE} refused ${TOOLS[order]}`, { cause });
    }
    const code = result.kind === 'timeout' ? 'timeout' : 'unavailable';
    throw new ContextloomError(code, `the memories cannot be kept: ${KNOWLEDGE_BASE} ${result.reason}`);
  }

  return createKnowledgeBaseStore(send, () => upstreams.close());
}
