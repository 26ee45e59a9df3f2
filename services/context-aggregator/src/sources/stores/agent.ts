import { type InputOf, readOnly } from '@contextloom/contracts';
import { type AgentMemoryContract, agentMemory } from '@contextloom/contracts/agent-memory';
import type { TimeRange } from '@contextloom/retrieval/time';
import type { z } from 'zod';
import { createFailure } from '../asking/failure.ts';
import { type Answer, bySchema, type StoreCall, toQuestion } from './ask-store.ts';
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
const MAX_LIMIT = 100;

const entry = { id: true, content: true, created_at: true } as const;
const { get_entry, list_entries, search_entries } = agentMemory;
const foundSchema = readOnly(search_entries.output, { items: { entry, relevance: true }, user_id: true });
const listSchema = readOnly(list_entries.output, { items: entry, total: true, user_id: true });
const entrySchema = readOnly(get_entry.output, entry);
const ofWorkspace = toQuestion<AgentMemoryContract>(AGENT_MEMORY);
type Question = Pick<StoreCall<unknown>, 'service' | 'tool' | 'args'>;

const toMemory = ({ id: own, content: text, created_at: time }: z.output<typeof entrySchema>) => ({ own, text, time });

const DAY_MS = 86_400_000;

type Days = Pick<InputOf<AgentMemoryContract, 'list_entries'>, 'start_date' | 'end_date'>;

/** The days of a range in any time zone: the workspace has its own. */
function toDays({ from, to }: TimeRange = { from: -Infinity, to: Infinity }): Days {
  const { since, until } = toEnds({ from: from - DAY_MS, to: to + DAY_MS });
  return {
    ...(since !== undefined && { start_date: since.slice(0, DAY_LENGTH) }),
    ...(until !== undefined && { end_date: until.slice(0, DAY_LENGTH) }),
  };
}

const DAY_LENGTH = 'YYYY-MM-DD'.length;

/**
 * Agent memory: a workspace for each user, or one for one user, which does not look at whom a question names. One that names no
 * owner serves whoever asks, so it is called for nobody: else every user of this server would read it.
 */
export function openAgent({ ask, userId }: StoreContext): MemoryStore {
  const question = <Name extends keyof AgentMemoryContract & string>(
    tool: Name,
    args: InputOf<AgentMemoryContract, Name>,
  ): Question => ofWorkspace<Name>(tool, { ...args, user_id: userId });
  const anyEntry = question('list_entries', { limit: 1 });
  /** Whether nothing stands in the workspace. */
  async function isBlank(): Promise<boolean> {
    const all = await ask({ ...anyEntry, read: bySchema(listSchema) });
    return all.kind === 'ok' && all.value.total === 0;
  }
  /** @param empty what to answer for a workspace of nobody in which nothing stands: that is not worth a word in each answer */
  async function askOwned<T extends { readonly user_id?: string | undefined }>(
    request: Question,
    schema: z.ZodType<T>,
    empty?: T,
  ): Promise<Answer<T>> {
    const answer = await ask({ ...request, read: bySchema(schema) });
    if (answer.kind === 'failed' || answer.value.user_id === userId) return answer;
    if (answer.value.user_id !== undefined) return createFailure('is of another user');
    if (empty !== undefined && (await isBlank())) return { kind: 'ok', value: empty };
    return createFailure('names no owner: set AGENT_MEMORY_USER_ID');
  }
  async function change(request: Question): Change {
    const owned = await askOwned(anyEntry, listSchema);
    return owned.kind === 'failed' ? owned : toChange(ask({ ...request, isChange: true, read: () => true }));
  }
  return {
    kind: 'agent',
    service: AGENT_MEMORY,
    recall: async ({ query, limit, filter: { tag, range } = {} }) => {
      if (tag !== undefined) return { kind: 'ok', value: [] };
      const request = question('search_entries', { query, limit: Math.min(limit, MAX_LIMIT), ...toDays(range) });
      return mapAnswer(askOwned(request, foundSchema, { items: [] }), ({ items }) =>
        items.map(({ entry, relevance }) => ({ ...toMemory(entry), score: relevance })),
      );
    },
    list: async ({ limit, cursor, filter: { tag, range } = {} }) => {
      // Its entries have no tags.
      if (tag !== undefined) return { kind: 'ok', value: { memories: [], total: 0 } };
      const offset = toOffset(cursor);
      return mapAnswer(
        askOwned(
          question('list_entries', { limit: Math.min(limit, MAX_LIMIT), offset, ...toEnds(range) }),
          listSchema,
          { items: [], total: 0 },
        ),
        ({ items, total }) => {
          const end = offset + items.length;
          return {
            memories: items.map(toMemory),
            total,
            next: items.length > 0 && end < total ? String(end) : undefined,
          };
        },
      );
    },
    get: async (id) => {
      const owned = await askOwned(anyEntry, listSchema);
      if (owned.kind === 'failed') return owned;
      return toGot(ask({ ...question('get_entry', { id }), read: bySchema(entrySchema) }), (entry) => {
        const { id: _id, content: _content, ...details } = entry;
        return { ...toMemory(entry), details };
      });
    },
    update: (id, content) => change(question('update_entry', { id, content })),
    remove: (id) => change(question('delete_entry', { id })),
  };
}
