import { ContextloomError } from '@contextloom/contracts';
import { memoryTypes } from '@contextloom/contracts/typed-memory';
import { z } from 'zod';
import { noModel } from '../../domain/chat.ts';
import type { TypedMemoryStore, TypeOverview } from '../../domain/typed-memory-store.ts';
import { createDesktopApi } from './desktop-api.ts';
import { type MirixItem, toMirixId, toStoredMemory } from './items.ts';
import type { MirixApi, MirixGeneration, MirixList } from './mirix-api.ts';
import type { MirixHttp } from './mirix-http.ts';
import { rankCandidates } from './rank.ts';
import { createServerApi } from './server-api.ts';

/** The server of today names its service; the desktop backend says whether its agent is there. */
const serverHealth = z.object({ service: z.string() });
const desktopHealth = z.object({ agent_initialized: z.boolean() });
const components = z.object({ memories: z.record(z.string(), z.unknown()) });
const coreList = z.array(z.object({ aspect: z.string() }).or(z.object({ understanding: z.string() })));

/** The user that the probe asks for, who does not exist. */
const NOBODY = 'contextloom-nobody';

/**
 * Tells which generation a MIRIX server is of: by its health, else by which way of listing memories it knows.
 * @throws ContextloomError `unavailable` when it is neither
 */
async function detectGeneration(http: MirixHttp, signal?: AbortSignal): Promise<MirixGeneration> {
  const health = await http.send({ method: 'GET', path: '/health', signal });
  if (serverHealth.safeParse(health.body).success) return 'server';
  if (desktopHealth.safeParse(health.body).success) return 'desktop';
  const query = { user_id: NOBODY, limit: '1' };
  const listed = await http.send({ method: 'GET', path: '/memory/components', query, signal });
  if (components.safeParse(listed.body).success) return 'server';
  // The first call that needs the key reports a refused one.
  if (listed.status === 401 || listed.status === 403) return 'server';
  const core = await http.send({ method: 'GET', path: '/memory/core', signal });
  if (core.status === 200 && coreList.safeParse(core.body).success) return 'desktop';
  const message = `${http.service} does not answer as MIRIX; correct the address, or set MIRIX_API to server or desktop`;
  throw new ContextloomError('unavailable', message);
}

/** What the store is built from. */
export interface MirixStoreOptions {
  readonly http: MirixHttp;
  /** Found out by the first call when absent. */
  readonly generation?: MirixGeneration | undefined;
  readonly agentConfig: object;
}

/** How much is listed to find one item. */
const LISTED = 1_000;
/** The fewest that are listed: core memories are few, and counted after some are left out. */
const LEAST_LISTED = 50;

const timeOf = ({ occurredAt, updatedAt, createdAt }: MirixItem): string => occurredAt ?? updatedAt ?? createdAt ?? '';

function toOverview(userId: string, { total, items }: MirixList, limit: number): TypeOverview {
  const newest = [...items].sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : timeOf(a) > timeOf(b) ? -1 : 0));
  return { total, newest: newest.slice(0, limit).map((item) => toStoredMemory(userId, item)) };
}

const noVault = (): ContextloomError =>
  new ContextloomError('invalid', 'MIRIX keeps no sealed items; MIRIX_BACKEND_URL says that it is used');

/**
 * Keeps memories in MIRIX, whose own model makes of what it is given what it likes: adding gives no id, and the memories that
 * are found have ids of ours, made of MIRIX's.
 */
export function createMirixStore({ http, generation, agentConfig }: MirixStoreOptions): TypedMemoryStore {
  const createApi = (of: MirixGeneration): MirixApi =>
    of === 'server' ? createServerApi({ http, agentConfig }) : createDesktopApi({ http });
  let api = generation && createApi(generation);

  async function open(signal: AbortSignal | undefined): Promise<MirixApi> {
    const detected = api === undefined ? await detectGeneration(http, signal) : undefined;
    // Of two that found it out at once, the first counts: it may know its users already.
    if (detected !== undefined) api ??= createApi(detected);
    if (api === undefined) throw new ContextloomError('internal', 'no generation of MIRIX was found');
    return api;
  }

  return {
    backend: 'MIRIX server',
    keepsSealed: false,
    keepsEnds: false,
    add: async (userId, draft, signal) => (await open(signal)).add(userId, draft, signal),
    search: async (userId, query, signal) => {
      const candidates = await (await open(signal)).find(userId, query.query, query.limit, signal);
      return rankCandidates(candidates, query).map(({ item, relevance }) => ({
        ...toStoredMemory(userId, item),
        score: relevance,
        relevance,
      }));
    },
    get: async (userId, id, signal) => {
      const lists = await (await open(signal)).list(userId, memoryTypes, LISTED, signal);
      const all = Object.values(lists).flatMap(({ items }) => items);
      const item = all.find((one) => toMirixId(userId, one) === id);
      return item && toStoredMemory(userId, item);
    },
    overview: async (userId, types, limit, signal) => {
      const lists = await (await open(signal)).list(userId, types, Math.max(limit, LEAST_LISTED), signal);
      return Object.fromEntries(
        types.map((type) => [type, toOverview(userId, lists[type] ?? { total: 0, items: [] }, limit)]),
      );
    },
    // MIRIX tells of no changes, and makes some by itself: every search goes to it.
    mark: async () => undefined,
    listSealed: async () => [],
    replaceSealed: () => Promise.reject(noVault()),
    agent: {
      isThere: () => api?.answer !== undefined,
      answer: async (userId, message, signal) => {
        const { answer } = await open(signal);
        if (answer === undefined) throw noModel();
        return answer(userId, message, signal);
      },
    },
    check: async (userId, signal) => (await open(signal)).check(userId, signal),
    close: async () => undefined,
  };
}
