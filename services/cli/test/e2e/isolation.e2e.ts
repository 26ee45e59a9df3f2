import type { JsonObject } from '@contextloom/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DoorAnswer, type RunningStack, startStack } from './running-stack.ts';

const USERS = 50;
const userName = (user: number): string => (user % 2 === 0 ? `user-${user}` : `用户${user}`);
/** Stands in every text of a user's and nowhere else: an answer that holds another user's mark has leaked. */
const mark = (user: number): string => `owner<${user}>`;

interface Write {
  readonly user: number;
  readonly endpoint: 'http' | 'batch' | 'knowledge-base' | 'embedded';
  /** Undefined: the store makes the id. Users share a small set of ids, so that they collide. */
  readonly id: string | undefined;
  readonly topic: 'cats' | '茶' | 'trains';
  readonly importance: number;
}

interface Read {
  readonly user: number;
  readonly endpoint: 'http' | 'knowledge-base' | 'embedded';
  readonly kind: 'search' | 'list' | 'get' | 'update' | 'delete';
  readonly filter: 'own' | 'either' | 'not-me' | 'not-in' | 'range' | 'foreign-or' | 'none';
  readonly id: string;
  readonly query: string;
}

const user = fc.integer({ min: 0, max: USERS - 1 });
const id = fc.integer({ min: 0, max: 39 }).map((n) => `note-${n}`);
const write: fc.Arbitrary<Write> = fc.record({
  user,
  endpoint: fc.constantFrom('http', 'batch', 'knowledge-base', 'embedded'),
  id: fc.option(id, { nil: undefined, freq: 3 }),
  topic: fc.constantFrom('cats', '茶', 'trains'),
  importance: fc.integer({ min: 1, max: 10 }),
});
const read: fc.Arbitrary<Read> = fc.record({
  user,
  endpoint: fc.constantFrom('http', 'knowledge-base', 'embedded'),
  kind: fc.constantFrom('search', 'list', 'get', 'update', 'delete'),
  filter: fc.constantFrom('own', 'either', 'not-me', 'not-in', 'range', 'foreign-or', 'none'),
  id,
  query: fc.constantFrom('cats and tea', '茶', 'trains', '', 'owner', '爱喝茶的人'),
});

/** What each user has acknowledged, by id: the truth that every answer is held against. */
const truth = new Map<string, { owner: number; content: string }>();
const ownerOf = (documentId: string): number | undefined => truth.get(documentId)?.owner;
let serial = 0;
let stack: RunningStack;

function contentFor({ user: owner, topic }: Write): string {
  serial += 1;
  return `${mark(owner)} note ${serial}: I like ${topic} and tea, 我爱${topic}也爱喝茶`;
}

async function send(order: Write): Promise<void> {
  const content = contentFor(order);
  const metadata = { user_id: userName(order.user), importance: order.importance, topic: order.topic };
  const document = {
    content,
    tags: ['memory', order.topic],
    metadata,
    ...(order.id !== undefined && { doc_id: order.id }),
  };
  const answer = await {
    http: () => stack.http('POST', '/add', document),
    batch: () => stack.http('POST', '/batch_add', { documents: [document] }),
    'knowledge-base': () => stack.tool('knowledge-base', 'add_document', document),
    embedded: () => stack.tool('embedded', 'add_document', document),
  }[order.endpoint]();
  const holder = order.id === undefined ? undefined : ownerOf(order.id);
  const isForeign = holder !== undefined && holder !== order.user;
  expect({ order, ok: answer.ok }).toEqual({ order, ok: !isForeign });
  if (isForeign) {
    expect(foreignMarks(answer, order.user)).toEqual([]);
    return;
  }
  const given = /"document_ids?":\s*\[?\s*"([^"]+)"/.exec(answer.body)?.[1];
  if (given === undefined) throw new Error(`no id in ${answer.body}`);
  truth.set(order.id ?? given, { owner: order.user, content });
}

function toFilter({ filter, user: reader }: Read): JsonObject | undefined {
  const me = userName(reader);
  const filters: Record<Read['filter'], JsonObject | undefined> = {
    own: { user_id: me },
    either: { $or: [{ user_id: me }, { topic: 'cats' }] },
    'not-me': { user_id: { $ne: me } },
    'not-in': { user_id: { nin: [me] } },
    range: { importance: { gte: 0 } },
    'foreign-or': { $or: [{ importance: { $gte: 1 } }, { $and: [{ user_id: { $in: [me] } }] }] },
    none: undefined,
  };
  return filters[filter];
}

/** Whether a call names its user: by a filter that holds the user's id as what is looked for. */
const namesUser = ({ filter }: Read): boolean => ['own', 'either', 'foreign-or'].includes(filter);

/** The marks in an answer that are not the reader's own. */
function foreignMarks({ body }: DoorAnswer, reader: number | undefined): readonly string[] {
  return [...body.matchAll(/owner<(\d+)>/g)]
    .map(([found]) => found)
    .filter((found) => reader === undefined || found !== mark(reader));
}

async function ask(order: Read): Promise<void> {
  const filter = toFilter(order);
  const named = namesUser(order) ? order.user : undefined;
  const filterPart = filter === undefined ? {} : { metadata_filter: filter };
  if (order.kind === 'search' || order.kind === 'list') {
    const request =
      order.kind === 'search' ? { query: order.query, top_k: 100, ...filterPart } : { limit: 200, ...filterPart };
    const tool = order.kind === 'search' ? 'search_documents' : 'list_documents';
    const path = order.kind === 'search' ? '/search' : '/documents/list';
    const answer =
      order.endpoint === 'http'
        ? await stack.http('POST', path, request)
        : await stack.tool(order.endpoint, tool, request);
    expect({ order, ok: answer.ok, foreign: foreignMarks(answer, named) }).toEqual({ order, ok: true, foreign: [] });
    return;
  }
  await askById(order, named);
}

async function askById(order: Read, named: number | undefined): Promise<void> {
  const me = named === undefined ? undefined : userName(named);
  const query = me === undefined ? '' : `?user_id=${encodeURIComponent(me)}`;
  const address = { doc_id: order.id, ...(me !== undefined && { user_id: me }) };
  const isMine = named !== undefined && ownerOf(order.id) === named;
  const change = { content: `${mark(order.user)} changed, 改过的茶` };
  const overHttp = { get: 'GET', update: 'PATCH', delete: 'DELETE' } as const;
  const kind = order.kind as keyof typeof overHttp;
  const answer =
    order.endpoint === 'http'
      ? await stack.http(overHttp[kind], `/documents/${order.id}${query}`, kind === 'update' ? change : undefined)
      : await stack.tool(order.endpoint, `${kind}_document`, { ...address, ...(kind === 'update' && change) });
  expect({ order, ok: answer.ok, foreign: foreignMarks(answer, named) }).toEqual({ order, ok: isMine, foreign: [] });
  if (isMine && kind === 'update') truth.set(order.id, { owner: order.user, content: change.content });
  if (isMine && kind === 'delete') truth.delete(order.id);
}

/** Every user's documents through the listing are exactly those that were acknowledged: nothing changed, nothing gone. */
async function checkTruth(): Promise<void> {
  for (let reader = 0; reader < USERS; reader += 1) {
    const { body } = await stack.http('POST', '/documents/list', {
      limit: 200,
      metadata_filter: { user_id: userName(reader) },
    });
    const documents: { id: string; content: string }[] = JSON.parse(body).documents;
    const expected = [...truth]
      .filter(([, { owner }]) => owner === reader)
      .map(([documentId, { content }]) => [documentId, content]);
    expect(documents.map((document) => [document.id, document.content]).sort()).toEqual(expected.sort());
  }
}

beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

describe('fifty users on one store', () => {
  it('never see, change or delete what is not theirs, whatever they call', async () => {
    const order = fc.oneof(
      { arbitrary: write.map((value) => ({ value, send: true as const })), weight: 2 },
      {
        arbitrary: read.map((value) => ({ value, send: false as const })),
        weight: 3,
      },
    );
    const run = async (orders: readonly (typeof order extends fc.Arbitrary<infer T> ? T : never)[]): Promise<void> => {
      for (const next of orders) await (next.send ? send(next.value) : ask(next.value));
      await checkTruth();
    };
    const property = fc.asyncProperty(fc.array(order, { minLength: 150, maxLength: 250 }), run);
    // Orders act on one long-lived store, so a failing run is not shrunk: a shorter one would meet another store.
    await fc.assert(property, { numRuns: 3, endOnFailure: true });
  });

  it('find their few memories however many nearer ones others have', async () => {
    const crowd = Array.from({ length: 400 }, (_, n) => ({
      content: `${mark(USERS + 1)} ${n}: the lighthouse dog is called Biscuit`,
      tags: ['memory'],
      metadata: { user_id: 'crowd', importance: 9 },
    }));
    await stack.http('POST', '/batch_add', crowd);
    const mine = {
      content: `${mark(USERS + 2)} my dog, Biscuit's brother, is Toast`,
      tags: ['memory'],
      metadata: { user_id: 'loner' },
    };
    await stack.http('POST', '/add', mine);
    const request = {
      query: 'the lighthouse dog is called Biscuit',
      tags: ['memory'],
      metadata_filter: { user_id: 'loner' },
      top_k: 1,
    };
    for (const answer of [
      await stack.http('POST', '/search', request),
      await stack.tool('knowledge-base', 'search_documents', request),
      await stack.tool('embedded', 'search_documents', request),
      await stack.tool('aggregator', 'get_user_memories', { user_id: 'loner', query: request.query, top_k: 1 }),
    ]) {
      expect(answer.body).toContain('Toast');
      expect(foreignMarks(answer, USERS + 2)).toEqual([]);
    }
  });

  it('get prompts and memories of their own through the aggregator', async () => {
    for (let reader = 0; reader < USERS; reader += 1) {
      const own = [...truth.values()].find(({ owner }) => owner === reader);
      const call = {
        persona_name: reader % 2 === 0 ? 'marlow' : 'uozumi',
        user_id: userName(reader),
        user_query: own?.content ?? 'cats and tea',
        memory_top_k: 10,
      };
      const prompt = await stack.tool('aggregator', 'build_prompt_with_context', call);
      const memories = await stack.tool('aggregator', 'get_user_memories', { user_id: userName(reader), top_k: 100 });
      expect({ reader, ok: prompt.ok, told: prompt.body.includes(mark(reader)) }).toEqual({
        reader,
        ok: true,
        told: own !== undefined,
      });
      expect([...foreignMarks(prompt, reader), ...foreignMarks(memories, reader)]).toEqual([]);
    }
  });

  it('remember conversations for themselves alone', async () => {
    for (const teller of [0, 1, 2]) {
      const conversation_history = `Ann: ${mark(teller)} I am allergic to peanuts.\nMarlow: Noted.`;
      const answer = await stack.tool('aggregator', 'store_conversation_memory', {
        user_id: userName(teller),
        conversation_history,
      });
      expect({ ok: answer.ok, foreign: foreignMarks(answer, teller) }).toEqual({ ok: true, foreign: [] });
    }
    for (const reader of [0, 1, 2, 3]) {
      const answer = await stack.tool('aggregator', 'get_user_memories', {
        user_id: userName(reader),
        query: 'peanuts',
        top_k: 100,
      });
      expect(foreignMarks(answer, reader)).toEqual([]);
      expect(answer.body.includes('peanuts')).toBe(reader < 3);
    }
  });

  it('see only their own through the command', async () => {
    for (const reader of [0, 7]) {
      const memories = await stack.cli('memories', '--user', userName(reader), '--limit', '100', '--json');
      const prompt = await stack.cli('prompt', 'marlow', 'cats and tea', '--user', userName(reader), '--json');
      expect([memories.ok, prompt.ok]).toEqual([true, true]);
      expect([...foreignMarks(memories, reader), ...foreignMarks(prompt, reader)]).toEqual([]);
    }
  });
});
