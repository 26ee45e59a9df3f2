import type { GetUserMemoriesResponse } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { toUserMemory } from '../domain/memories/user-memory.ts';
import { toError } from '../sources/asking/failure.ts';
import { countMemories, KNOWLEDGE_BASE, searchMemories } from '../sources/memories/memory-source.ts';
import { listOtherStores } from '../sources/stores/open-stores.ts';
import { type AggregatorContext, toCallDeps } from './deps.ts';
import { exampleSavedMemory } from './examples.ts';

/** Shows what is remembered of one user. */
export const getUserMemories = defineOperation({
  name: 'get_user_memories',
  title: "Get a user's memories",
  description:
    'Returns what is remembered of one user: with a query the memories that fit it, best first; without, the most important, then the newest.',
  effect: 'reads',
  scope: 'user',
  ...contract.get_user_memories,
  example: {
    input: { user_id: 'ann', query: 'tea', top_k: 5 },
    output: {
      success: true,
      user_id: 'ann',
      total_memories: 1,
      memories: [{ ...exampleSavedMemory, created_at: '2026-05-01T09:30:00.000Z' }],
    },
  },
  run: async (args, context: AggregatorContext): Promise<GetUserMemoriesResponse> => {
    const deps = toCallDeps(context);
    const request = { userId: args.user_id, query: args.query, topK: args.top_k, memoryType: args.memory_type };
    const [search, total] = await Promise.all([
      searchMemories(request, deps, context.signal),
      countMemories(request, deps, context.signal),
    ]);
    if (search.kind === 'failed') throw toError(KNOWLEDGE_BASE, search);
    const others = listOtherStores(deps.upstreams);
    return {
      success: true,
      user_id: args.user_id,
      total_memories: total ?? search.memories.length,
      ...(others.length > 0 && { not_listed: others }),
      memories: search.memories.map((memory) => toUserMemory(memory, deps.zone)),
    };
  },
});
