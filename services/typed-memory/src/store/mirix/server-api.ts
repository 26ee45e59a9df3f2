import { ContextloomError } from '@contextloom/contracts';
import { type MemoryType, memoryTypes } from '@contextloom/contracts/typed-memory';
import { createKeyedQueue } from '@contextloom/runtime/scheduling';
import { LRUCache } from 'lru-cache';
import type { MemoryDraft } from '../../domain/memory.ts';
import type { AddOutcome } from '../../domain/typed-memory-store.ts';
import { type MirixItem, toMirixMessage } from './items.ts';
import type { MirixApi, MirixCandidates, MirixLists } from './mirix-api.ts';
import type { MirixHttp } from './mirix-http.ts';
import { serverAnswers, toFoundItem, toList, toListedItems } from './server-answers.ts';

/** What the server of today is spoken to with. */
export interface ServerApiOptions {
  readonly http: MirixHttp;
  /** The models that its agent is set up with if it has none yet, in MIRIX's own form. */
  readonly agentConfig: object;
}

/**
 * Makes sure that what was answered is of the requested user, wherever an answer names one.
 * @throws ContextloomError `forbidden`
 */
function requireOwn(userId: string, named: string | null | undefined, service: string): void {
  if (named === undefined || named === null || named === userId) return;
  const message = `${service} answered for another user than the one that it was asked for; nothing of it is shown`;
  throw new ContextloomError('forbidden', message);
}

/** What every call of a user is made with. */
interface UserCall {
  readonly userId: string;
  readonly signal: AbortSignal | undefined;
}

/** How much of a query is sent: it stands in the address, which servers take some kilobytes of. */
const MAX_QUERY = 500;
/** Users that are known to be there. */
const MAX_USERS = 10_000;

/** A search ranks each type for itself: the best of each come first. Core memories are all there, in no order. */
function toRanking(found: readonly MirixItem[]): readonly string[] {
  const byType = memoryTypes
    .filter((type) => type !== 'core')
    .map((type) => found.filter((item) => item.type === type));
  const longest = Math.max(...byType.map((items) => items.length));
  return Array.from({ length: longest }, (_, rank) => byType.flatMap((items) => items[rank]?.key ?? [])).flat();
}

/** Speaks to the MIRIX server of today. A user of ours is the MIRIX user of the same id. */
export function createServerApi({ http, agentConfig }: ServerApiOptions): MirixApi {
  const [preparing, adding] = [createKeyedQueue(), createKeyedQueue()];
  const users = new LRUCache<string, true>({ max: MAX_USERS });
  let agentId: string | undefined;

  async function requireUser({ userId, signal }: UserCall): Promise<void> {
    const body = { user_id: userId, name: userId };
    const request = { method: 'POST', path: '/users/create_or_get', body, signal } as const;
    const { id, is_deleted: isDeleted } = await http.call(request, serverAnswers.user);
    requireOwn(userId, id, http.service);
    if (isDeleted === true) throw new ContextloomError('forbidden', `${http.service} has deleted this user`);
    users.set(userId, true);
  }

  async function requireAgent(signal: AbortSignal | undefined): Promise<string> {
    const body = { config: agentConfig, update_agents: false };
    const answer = await http.send({ method: 'POST', path: '/agents/meta/initialize', body, signal });
    if (answer.status === 422 || answer.status >= 500) {
      const message = `${http.service} could not set up its agent; MIRIX_AGENT_CONFIG may name a file with the models that it is to use`;
      throw new ContextloomError('unavailable', message, { cause: { status: answer.status } });
    }
    const agent = http.read(answer, serverAnswers.agent);
    if (agent !== null) return agent.id;
    throw new ContextloomError('unavailable', `${http.service} lets this key only read; set MIRIX_API_KEY to another`);
  }

  /** Two agents of one key would leave MIRIX with neither, so that one call at a time asks for it. */
  const prepare = (userId: string | undefined, signal: AbortSignal | undefined): Promise<string> =>
    preparing('', async () => {
      if (userId !== undefined && !users.has(userId)) await requireUser({ userId, signal });
      agentId ??= await requireAgent(signal);
      return agentId;
    });

  /** What fails may have lost its user or agent, as when MIRIX begins with an empty database: then both are requested again. */
  async function prepared<T>({ userId, signal }: UserCall, work: (agent: string) => Promise<T>): Promise<T> {
    const agent = agentId !== undefined && users.has(userId) ? agentId : await prepare(userId, signal);
    try {
      return await work(agent);
    } catch (error) {
      agentId = undefined;
      users.delete(userId);
      throw error;
    }
  }

  async function add({ userId, signal }: UserCall, draft: MemoryDraft, agent: string): Promise<AddOutcome> {
    const messages = [{ role: 'user', content: toMirixMessage(draft) }];
    const { type, occurredAt } = draft;
    const when = occurredAt === undefined ? {} : { occurred_at: occurredAt };
    const body = { user_id: userId, meta_agent_id: agent, messages, ...when };
    const request = { method: 'POST', body, signal } as const;
    const answer = await http.send({ ...request, path: '/memory/add_sync' });
    // Servers from before that way of adding have a queue alone.
    const taken = answer.status === 404 ? await http.send({ ...request, path: '/memory/add' }) : answer;
    const { status } = http.read(taken, serverAnswers.added);
    return { kind: status === 'processed' ? 'processed' : 'queued', type };
  }

  async function search(
    { userId, signal }: UserCall,
    method: 'bm25' | 'embedding',
    { query, limit }: { readonly query: string; readonly limit: number },
  ): Promise<readonly MirixItem[]> {
    const how = { memory_type: 'all', search_method: method, limit: String(limit), include_core_memory: 'true' };
    const parameters = { user_id: userId, query: query.slice(0, MAX_QUERY), ...how };
    const answer = await http.send({ method: 'GET', path: '/memory/search', query: parameters, signal });
    // A server without an embedding model fails at this; it has the words alone.
    if (method === 'embedding' && answer.status >= 500) return [];
    const { results } = http.read(answer, serverAnswers.found);
    for (const { user_id: named } of results) requireOwn(userId, named, http.service);
    return results.flatMap((fields) => toFoundItem(fields) ?? []);
  }

  async function find(call: UserCall, query: string, limit: number): Promise<MirixCandidates> {
    const methods = ['bm25', 'embedding'] as const;
    const found = await Promise.all(methods.map((method) => search(call, method, { query, limit })));
    return {
      items: [...new Map(found.flat().map((item) => [item.key, item])).values()],
      rankings: found.map(toRanking),
    };
  }

  async function list({ userId, signal }: UserCall, types: readonly MemoryType[], limit: number): Promise<MirixLists> {
    const [only, ...others] = types;
    const type = others.length === 0 ? (only ?? 'all') : 'all';
    const query = { user_id: userId, memory_type: type, limit: String(limit) };
    const request = { method: 'GET', path: '/memory/components', query, signal } as const;
    const { memories, user_id: named } = await http.call(request, serverAnswers.components);
    requireOwn(userId, named, http.service);
    for (const answered of Object.values(memories)) {
      for (const { user_id: other } of answered === undefined ? [] : toListedItems(answered)) {
        requireOwn(userId, other, http.service);
      }
    }
    return Object.fromEntries(
      types.flatMap((name) => (memories[name] === undefined ? [] : [[name, toList(name, memories[name])]])),
    );
  }

  return {
    // One after another: MIRIX's agent reads what there is before it writes.
    add: (userId, draft, signal) =>
      adding(userId, () => prepared({ userId, signal }, (agent) => add({ userId, signal }, draft, agent))),
    find: (userId, query, limit, signal) => prepared({ userId, signal }, () => find({ userId, signal }, query, limit)),
    list: (userId, types, limit, signal) => prepared({ userId, signal }, () => list({ userId, signal }, types, limit)),
    check: async (userId, signal) => {
      agentId = undefined;
      await prepare(userId, signal);
    },
  };
}
