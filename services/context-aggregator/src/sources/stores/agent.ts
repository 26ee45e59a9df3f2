import type { JsonObject } from '@contextloom/contracts';
import type { TimeRange } from '@contextloom/retrieval/time';
import { z } from 'zod';
import { createFailure } from '../asking/failure.ts';
import { type Answer, bySchema } from './ask-store.ts';
import {
  type Change,
  type MemoryStore,
  mapAnswer,
  type StoreContext,
  toChange,
  toEnds,
  toGot,
  toOffset,
} from './memory-store.ts';

/** The service that keeps it. */
export const AGENT_MEMORY = 'agent-memory';
const service = AGENT_MEMORY;
const MAX_LIMIT = 100;

const entrySchema = z.object({ id: z.string(), content: z.string(), created_at: z.string() });
const ownerField = { user_id: z.string().optional() };
const foundSchema = z.object({
  items: z.array(z.object({ entry: entrySchema, relevance: z.number() })),
  ...ownerField,
});
const listSchema = z.object({ items: z.array(entrySchema), total: z.int(), ...ownerField });

const toMemory = ({ id: own, content: text, created_at: time }: z.output<typeof entrySchema>) => ({ own, text, time });

const DAY_MS = 86_400_000;

/** The days of a range in any time zone: the workspace has its own. */
function toDays({ from, to }: TimeRange = { from: -Infinity, to: Infinity }): JsonObject {
  const { since, until } = toEnds({ from: from - DAY_MS, to: to + DAY_MS });
  return {
    ...(since !== undefined && { start_date: since.slice(0, DAY_LENGTH) }),
    ...(until !== undefined && { end_date: until.slice(0, DAY_LENGTH) }),
  };
}

const DAY_LENGTH = 'YYYY-MM-DD'.length;

/**
 * Agent memory: one workspace for one user. A workspace that names no owner serves whoever asks, so it is asked for nobody: else
 * every user of this server would read it.
 */
export function openAgent({ ask, userId }: StoreContext): MemoryStore {
  /** Whether nothing stands in the workspace. */
  async function isBlank(): Promise<boolean> {
    const all = await ask({ service, tool: 'list_entries', args: { limit: 1 }, read: bySchema(listSchema) });
    return all.kind === 'ok' && all.value.total === 0;
  }
  /** @param empty what to answer for a workspace of nobody in which nothing stands: that is not worth a word in each answer */
  async function askOwned<T extends { readonly user_id?: string | undefined }>(
    tool: string,
    args: JsonObject,
    schema: z.ZodType<T>,
    empty?: T,
  ): Promise<Answer<T>> {
    const answer = await ask({ service, tool, args, read: bySchema(schema) });
    if (answer.kind === 'failed' || answer.value.user_id === userId) return answer;
    if (answer.value.user_id !== undefined) return createFailure('is of another user');
    if (empty !== undefined && (await isBlank())) return { kind: 'ok', value: empty };
    return createFailure('names no owner: set AGENT_MEMORY_USER_ID');
  }
  async function change(tool: string, args: JsonObject): Change {
    const owned = await askOwned('list_entries', { limit: 1 }, listSchema);
    return owned.kind === 'failed' ? owned : toChange(ask({ service, tool, args, isChange: true, read: () => true }));
  }
  return {
    kind: 'agent',
    service,
    recall: async ({ query, limit, filter: { tag, range } = {} }) => {
      if (tag !== undefined) return { kind: 'ok', value: [] };
      const args = { query, limit: Math.min(limit, MAX_LIMIT), ...toDays(range) };
      return mapAnswer(askOwned('search_entries', args, foundSchema, { items: [] }), ({ items }) =>
        items.map(({ entry, relevance }) => ({ ...toMemory(entry), score: relevance })),
      );
    },
    list: async ({ limit, cursor, filter: { tag, range } = {} }) => {
      // Its entries have no tags.
      if (tag !== undefined) return { kind: 'ok', value: { memories: [] } };
      const offset = toOffset(cursor);
      return mapAnswer(
        askOwned('list_entries', { limit: Math.min(limit, MAX_LIMIT), offset, ...toDays(range) }, listSchema, {
          items: [],
          total: 0,
        }),
        ({ items, total }) => {
          const end = offset + items.length;
          return { memories: items.map(toMemory), next: items.length > 0 && end < total ? String(end) : undefined };
        },
      );
    },
    get: async (id) => {
      const owned = await askOwned('list_entries', { limit: 1 }, listSchema);
      if (owned.kind === 'failed') return owned;
      return toGot(
        ask({ service, tool: 'get_entry', args: { id }, read: bySchema(z.looseObject(entrySchema.shape)) }),
        (entry) => {
          const { id: _id, content: _content, ...details } = entry;
          return { ...toMemory(entry), details };
        },
      );
    },
    update: (id, content) => change('update_entry', { id, content }),
    remove: (id) => change('delete_entry', { id }),
  };
}
