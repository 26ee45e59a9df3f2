import {
  type GetUserMemoriesResponse,
  getUserMemoriesRequestSchema,
  getUserMemoriesResponseSchema,
} from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import type { AggregatorDeps } from '../deps.ts';
import { toUserMemory } from '../domain/user-memory.ts';
import { toError } from '../sources/failure.ts';
import { countMemories, KNOWLEDGE_BASE, searchMemories } from '../sources/memory-source.ts';

/** Shows what is remembered of one user. */
export const getUserMemories = defineTool({
  name: 'get_user_memories',
  title: "Get a user's memories",
  description:
    'Returns what is remembered of one user: with a query the memories that fit it, best first; without, the most important, then the newest.',
  input: getUserMemoriesRequestSchema,
  output: getUserMemoriesResponseSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async (args, deps: AggregatorDeps, { signal }): Promise<GetUserMemoriesResponse> => {
    const request = { userId: args.user_id, query: args.query, topK: args.top_k, memoryType: args.memory_type };
    const [search, total] = await Promise.all([
      searchMemories(request, deps, signal),
      countMemories(request, deps, signal),
    ]);
    if (search.kind === 'failed') throw toError(KNOWLEDGE_BASE, search);
    return {
      success: true,
      user_id: args.user_id,
      total_memories: total ?? search.memories.length,
      memories: search.memories.map(toUserMemory),
    };
  },
});
