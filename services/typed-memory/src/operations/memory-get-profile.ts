import { typedMemory as contract } from '@contextloom/contracts/typed-memory';
import { defineOperation } from '@contextloom/server-kit';
import { toMemoryTypes } from '../domain/memory-type.ts';
import { type TypedMemoryContext, toolRoute } from './deps.ts';

/** Shows what is known of the user as a whole. */
export const memoryGetProfile = defineOperation({
  name: 'memory_get_profile',
  title: "Get the user's profile",
  description:
    'An overview of all that is remembered: who the user is, what happened lately, what they know about, and how many memories of each type there are. Use it at the start of a conversation.',
  effect: 'reads',
  hints: { isOpenWorld: true },
  scope: 'user',
  ...contract.memory_get_profile,
  example: {
    input: { user_id: 'ann' },
    output: {
      success: true,
      user_id: 'ann',
      profile: {
        core_understanding: '- Allergic to peanuts',
        recent_activities: [],
        knowledge_areas: [],
        written_by: 'list',
      },
      memory_summary: { core: 1 },
      total_memories: 1,
      last_updated: '2026-03-01T08:00:00.000Z',
    },
  },
  route: toolRoute('memory_get_profile'),
  run: async ({ user_id, memory_types }, { deps: { memory }, principal, signal }: TypedMemoryContext) => {
    const types = toMemoryTypes(memory_types);
    // A caller who may only read gets the stored facts as a list: a call of a model costs.
    const profile = await memory.profile(user_id, { types, mayAskModel: principal.scopes.includes('write'), signal });
    return {
      success: true as const,
      user_id,
      profile: {
        core_understanding: profile.understanding,
        recent_activities: [...profile.activities],
        knowledge_areas: [...profile.areas],
        written_by: profile.writer,
      },
      memory_summary: profile.counts,
      total_memories: profile.total,
      last_updated: profile.updatedAt ?? null,
    };
  },
});
