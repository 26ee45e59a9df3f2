import type { z } from 'zod';
import type { AgentMemory } from './domain/agent-memory.ts';
import type {
  addSchema,
  contextSchema,
  deletedSchema,
  identitySchema,
  initSchema,
  listSchema,
  searchSchema,
} from './wire.ts';

/** A mutable copy, since answers are of plain arrays. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Plain<T[K]> }
    : T;
const plain = <T>(value: T): Plain<T> => value as Plain<T>;

/**
 * What both doors, tools and routes, answer from.
 * @param userId whose workspace it is, as gateways name users
 */
export function createAnswers(memory: AgentMemory, userId?: string) {
  const owned = userId === undefined ? {} : { user_id: userId };
  return {
    add: async (request: z.output<typeof addSchema>) => plain(await memory.add(request)),
    get: async (id: string, session: 'owner' | 'shared') => plain(await memory.get(id, session)),
    update: async (id: string, request: Parameters<AgentMemory['update']>[1]) =>
      plain(await memory.update(id, request)),
    delete: async (id: string, session: 'owner' | 'shared'): Promise<z.input<typeof deletedSchema>> => {
      await memory.delete(id, session);
      return { id, deleted: true };
    },
    list: async ({ content_type, start_date, end_date, ...page }: z.output<typeof listSchema>) =>
      plain(await memory.list({ ...page, contentType: content_type, startDate: start_date, endDate: end_date })),
    search: async ({ content_type, start_date, end_date, ...search }: z.output<typeof searchSchema>) =>
      plain(await memory.search({ ...search, contentType: content_type, startDate: start_date, endDate: end_date })),
    similar: async (id: string, limit: number, session: 'owner' | 'shared') =>
      plain(await memory.similar(id, limit, session)),
    daily: async (date: string) => plain(await memory.daily(date)),
    context: async ({ lines: isWanted, ...request }: z.output<typeof contextSchema>) => {
      const { lines, ...context } = await memory.loadContext(request);
      return plain({ ...context, ...(isWanted && { lines: lines.map((line) => ({ ...line, ...owned })) }) });
    },
    spirit: async () => plain(await memory.identity.spirit()),
    owner: async () => plain(await memory.identity.owner()),
    status: async () => plain(await memory.identity.status()),
    init: async (): Promise<z.input<typeof initSchema>> => plain(await memory.identity.init()),
    identity: async (): Promise<z.input<typeof identitySchema>> => {
      const { spirit, owner, tools, status } = memory.identity;
      const [agent, person, definitions, found] = await Promise.all([spirit(), owner(), tools(), status()]);
      return plain({ spirit: agent, owner: person, tools: definitions, status: found });
    },
    archive: async (request: Parameters<AgentMemory['archive']>[0]) => plain(await memory.archive(request)),
  };
}
