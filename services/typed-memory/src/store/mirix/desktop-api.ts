import { ContextloomError } from '@contextloom/contracts';
import { type MemoryType, memoryTypes } from '@contextloom/contracts/typed-memory';
import { z } from 'zod';
import { itemFields, toItem, toMirixMessage } from './items.ts';
import type { MirixApi, MirixList, MirixLists } from './mirix-api.ts';
import type { MirixHttp } from './mirix-http.ts';

/** Where the desktop backend lists each type; it shows the newest 50. */
const paths: Readonly<Record<MemoryType, `/${string}`>> = {
  core: '/memory/core',
  episodic: '/memory/episodic',
  semantic: '/memory/semantic',
  procedural: '/memory/procedural',
  resource: '/memory/resources',
  knowledge_vault: '/memory/credentials',
};

const healthAnswer = z.object({ status: z.string() });
const listAnswer = z.array(z.object(itemFields));
const user = z.object({ id: z.string(), name: z.string(), status: z.string().nullish() });
const usersAnswer = z.object({ users: z.array(user) });
const sendAnswer = z.object({ response: z.string().nullable(), status: z.string().default('success') });

/** What the agent says in place of an answer when it failed. */
const FAILED = /^ERROR(?:_[A-Z_]+)?$/u;

/** The only active user: the backend reads and writes the memories of that user, whichever user a call names. */
function findActive(users: readonly z.output<typeof user>[]): z.output<typeof user> | undefined {
  const active = users.filter(({ status }) => status === 'active');
  const candidates = active.length === 0 ? users : active;
  return candidates.length === 1 ? candidates[0] : undefined;
}

/**
 * Speaks to the backend of the older desktop application. It lists the memories of its active user, so that each call
 * is for a user of ours only while the active user has that id or name, before and after it.
 */
export function createDesktopApi({ http }: { readonly http: MirixHttp }): MirixApi {
  async function requireActive(userId: string, signal: AbortSignal | undefined): Promise<string> {
    const { users } = await http.call({ method: 'GET', path: '/users', signal }, usersAnswer);
    const named = users.filter(({ id, name }) => id === userId || name === userId);
    const [own] = named;
    if (own !== undefined && named.length === 1 && findActive(users)?.id === own.id) return own.id;
    const problem =
      named.length > 1
        ? 'has several users of that id or name'
        : own === undefined
          ? 'has no user of that id or name; add one in the application, or set DEFAULT_USER_ID to one that it has'
          : 'shows the memories of its active user, who is another one; switch to this user in the application';
    throw new ContextloomError('forbidden', `${http.service} ${problem}`, { field: 'user_id' });
  }

  async function asActive<T>(
    userId: string,
    signal: AbortSignal | undefined,
    work: (mirixUser: string) => Promise<T>,
  ): Promise<T> {
    const mirixUser = await requireActive(userId, signal);
    const result = await work(mirixUser);
    await requireActive(userId, signal);
    return result;
  }

  async function say(body: object, signal: AbortSignal | undefined): Promise<string> {
    const request = { method: 'POST', path: '/send_message', body, signal } as const;
    const { response, status } = await http.call(request, sendAnswer);
    if (status === 'success' && !FAILED.test(response ?? '')) return response ?? '';
    const problem = status === 'missing_api_keys' ? 'lacks a key of its own model; give it one there' : 'failed';
    throw new ContextloomError('unavailable', `${http.service} ${problem}`, { cause: { status } });
  }

  async function listOne(type: MemoryType, mirixUser: string, signal: AbortSignal | undefined): Promise<MirixList> {
    const query = { user_id: mirixUser };
    const answered = await http.call({ method: 'GET', path: paths[type], query, signal }, listAnswer);
    const items = answered.flatMap((fields) => toItem(type, fields) ?? []);
    return { total: items.length, items };
  }

  const list = (userId: string, types: readonly MemoryType[], signal?: AbortSignal): Promise<MirixLists> =>
    asActive(userId, signal, async (mirixUser) =>
      Object.fromEntries(
        await Promise.all(types.map(async (type) => [type, await listOne(type, mirixUser, signal)] as const)),
      ),
    );

  return {
    add: (userId, draft, signal) =>
      asActive(userId, signal, async (mirixUser) => {
        await say({ message: toMirixMessage(draft), memorizing: true, user_id: mirixUser }, signal);
        // It gathers messages, and makes memories of them when there are enough.
        return { kind: 'queued', type: draft.type };
      }),
    find: async (userId, _query, _limit, signal) => {
      const lists = await list(userId, memoryTypes, signal);
      return { items: Object.values(lists).flatMap(({ items }) => items), rankings: [] };
    },
    list: (userId, types, _limit, signal) => list(userId, types, signal),
    check: async (userId, signal) => {
      if (userId === undefined) await http.call({ method: 'GET', path: '/health', signal }, healthAnswer);
      else await requireActive(userId, signal);
    },
    answer: (userId, { message, images, memorizing }, signal) =>
      asActive(userId, signal, async (mirixUser) => {
        const body = { message, user_id: mirixUser, ...(images.length > 0 && { image_uris: images }) };
        const response = await say({ ...body, memorizing }, signal);
        // Told to memorize, most versions do that alone and answer with nothing.
        return response === '' && memorizing ? say({ ...body, memorizing: false }, signal) : response;
      }),
  };
}
