import { readOnly } from '@contextloom/contracts';
import { type TypedMemoryContract, typedMemory } from '@contextloom/contracts/typed-memory';
import type { z } from 'zod';
import { bySchema, toQuestion } from './ask-store.ts';
import { type MemoryStore, mapAnswer, type StoreContext, toChange, toEnds, toGot } from './memory-store.ts';

/** The service that keeps it. */
export const TYPED_MEMORY = 'typed-memory';
const MAX_LIMIT = 50;

const memory = {
  memory_id: true,
  type: true,
  content: true,
  score: true,
  relevance: true,
  occurred_at: true,
  updated_at: true,
  created_at: true,
} as const;
const foundSchema = readOnly(typedMemory.memory_search.output, { memories: memory });
const oneSchema = readOnly(typedMemory.memory_get.output, { memory });
const listSchema = readOnly(typedMemory.memory_list.output, { memories: memory, total_count: true, next_cursor: true });
const question = toQuestion<TypedMemoryContract>(TYPED_MEMORY);
type PromptMemory = z.output<typeof foundSchema>['memories'][number];

/** Of a secret the label, which is all that a list or a search shows of it. */
const toMemory = ({ memory_id: own, type, content, occurred_at, updated_at, created_at }: PromptMemory) => ({
  own,
  text: type === 'knowledge_vault' ? `[secret] ${content}` : content,
  time: occurred_at ?? updated_at ?? created_at,
});

/** Typed memory, which is there for one user. */
export function openTyped({ ask, userId: user_id }: StoreContext): MemoryStore {
  return {
    kind: 'typed',
    service: TYPED_MEMORY,
    recall: async ({ query, limit, filter: { tag, range } = {} }) => {
      if (tag !== undefined) return { kind: 'ok', value: [] };
      return mapAnswer(
        ask({
          ...question('memory_search', {
            query,
            user_id,
            limit: range === undefined ? Math.min(limit, MAX_LIMIT) : MAX_LIMIT,
          }),
          read: bySchema(foundSchema),
        }),
        ({ memories }) =>
          memories.map((memory) => ({ ...toMemory(memory), score: memory.relevance ?? memory.score ?? 0 })),
      );
    },
    list: async ({ limit, cursor, filter: { order, tag, range } = {} }) => {
      // Its memories have no tags.
      if (tag !== undefined) return { kind: 'ok', value: { memories: [], total: 0 } };
      return mapAnswer(
        ask({
          ...question('memory_list', { limit, user_id, ...toEnds(range), order, cursor }),
          read: bySchema(listSchema),
        }),
        ({ memories, total_count: total, next_cursor: next }) => ({ memories: memories.map(toMemory), total, next }),
      );
    },
    get: (memory_id) =>
      toGot(ask({ ...question('memory_get', { memory_id, user_id }), read: bySchema(oneSchema) }), ({ memory }) => {
        const { memory_id: _id, content: _content, ...details } = memory;
        return { ...toMemory(memory), details };
      }),
    update: (memory_id, content) =>
      toChange(
        ask({ ...question('memory_update', { memory_id, content, user_id }), isChange: true, read: () => true }),
      ),
    remove: (memory_id) =>
      toChange(
        ask({ ...question('memory_delete', { memory_id, erase: true, user_id }), isChange: true, read: () => true }),
      ),
  };
}
