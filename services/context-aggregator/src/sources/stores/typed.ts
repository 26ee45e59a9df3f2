import { z } from 'zod';
import { bySchema } from './ask-store.ts';
import { type MemoryStore, mapAnswer, type StoreContext, toChange, toEnds, toGot } from './memory-store.ts';

/** The service that keeps it. */
export const TYPED_MEMORY = 'typed-memory';
const service = TYPED_MEMORY;
const MAX_LIMIT = 50;

const memorySchema = z.object({
  memory_id: z.string(),
  type: z.string(),
  content: z.string(),
  score: z.number().optional(),
  relevance: z.number().optional(),
  occurred_at: z.string().optional(),
  updated_at: z.string().optional(),
  created_at: z.string().optional(),
});
type TypedMemory = z.output<typeof memorySchema>;

const foundSchema = z.object({ memories: z.array(memorySchema) });
const oneSchema = z.object({ memory: z.looseObject(memorySchema.shape) });
const listSchema = foundSchema.extend({ next_cursor: z.string().optional() });

/** Of a secret the label, which is all that a list or a search shows of it. */
const toMemory = ({ memory_id: own, type, content, occurred_at, updated_at, created_at }: TypedMemory) => ({
  own,
  text: type === 'knowledge_vault' ? `[secret] ${content}` : content,
  time: occurred_at ?? updated_at ?? created_at,
});

/** Typed memory, which is there for one user. */
export function openTyped({ ask, userId: user_id }: StoreContext): MemoryStore {
  return {
    kind: 'typed',
    service,
    recall: async ({ query, limit, filter: { tag, range } = {} }) => {
      if (tag !== undefined) return { kind: 'ok', value: [] };
      return mapAnswer(
        ask({
          service,
          tool: 'memory_search',
          read: bySchema(foundSchema),
          args: {
            query,
            user_id,
            limit: range === undefined ? Math.min(limit, MAX_LIMIT) : MAX_LIMIT,
          },
        }),
        ({ memories }) =>
          memories.map((memory) => ({ ...toMemory(memory), score: memory.relevance ?? memory.score ?? 0 })),
      );
    },
    list: async ({ limit, cursor, filter: { order, tag, range } = {} }) => {
      // Its memories have no tags.
      if (tag !== undefined) return { kind: 'ok', value: { memories: [] } };
      return mapAnswer(
        ask({
          service,
          tool: 'memory_list',
          read: bySchema(listSchema),
          args: {
            limit,
            user_id,
            ...toEnds(range),
            ...(order !== undefined && { order }),
            ...(cursor !== undefined && { cursor }),
          },
        }),
        ({ memories, next_cursor: next }) => ({ memories: memories.map(toMemory), next }),
      );
    },
    get: (memory_id) =>
      toGot(
        ask({ service, tool: 'memory_get', read: bySchema(oneSchema), args: { memory_id, user_id } }),
        ({ memory }) => {
          const { memory_id: _id, content: _content, ...details } = memory;
          return { ...toMemory(memory), details };
        },
      ),
    update: (memory_id, content) =>
      toChange(
        ask({
          service,
          tool: 'memory_update',
          isChange: true,
          args: { memory_id, content, user_id },
          read: () => true,
        }),
      ),
    remove: (memory_id) =>
      toChange(
        ask({
          service,
          tool: 'memory_delete',
          isChange: true,
          args: { memory_id, erase: true, user_id },
          read: () => true,
        }),
      ),
  };
}
