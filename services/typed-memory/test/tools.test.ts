import { connectInMemory, connectOverFetch, findUnfitSchemas, type TestClient } from '@contextloom/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalService, startLocalService } from '../../knowledge-base/test/support/local-service.ts';
import type { ToLifetime } from '../src/store/knowledge-base/ends.ts';
import {
  newUser,
  openTestKnowledge,
  openTestServer,
  openTestStore,
  type TestServiceOptions,
  today,
} from './support/service.ts';

let service: LocalService | undefined;
let client: TestClient | undefined;
beforeAll(async () => {
  service = await startLocalService();
});
afterEach(() => client?.close());
afterAll(() => service?.stop());

const openStore = (clock = () => new Date(), toLifetime?: ToLifetime) =>
  openTestStore(service?.url ?? '', clock, toLifetime);
const readDocument = (userId: string, id: string) => openTestKnowledge(service?.url ?? '').get({ id, userId });

/** A client of a server for a user, a new one unless told otherwise. */
async function connect(options: Partial<TestServiceOptions> = {}, userId = newUser(), connector = connectInMemory) {
  const { factory } = await openTestServer(userId, { store: openStore(), ...options });
  client = await connector(factory);
  return client;
}

interface Added {
  readonly memory_id: string;
  readonly memory_type: string;
  readonly suggested_type?: string;
  readonly message: string;
}
interface Found {
  readonly memories: readonly Readonly<Record<string, unknown>>[];
  readonly total_count: number;
  readonly nearest_score?: number;
}

async function add(connected: TestClient, args: Record<string, unknown>): Promise<Added> {
  const { structured, isError, text } = await connected.callTool('memory_add', args);
  if (isError) throw new Error(text);
  return structured as Added;
}

async function search(connected: TestClient, args: Record<string, unknown>): Promise<Found> {
  const { structured, isError, text } = await connected.callTool('memory_search', args);
  if (isError) throw new Error(text);
  return structured as Found;
}

describe.each([
  ['2025-11-25, in memory', connectInMemory],
  ['2026-07-28, over fetch', (factory: Parameters<typeof connectOverFetch>[0]) => connectOverFetch(factory)],
])('the tools over %s', (_name, connector) => {
  it('are the four of the design and three that list and correct, with schemas that every client takes and no way to name a user', async () => {
    const { tools } = await (await connect({}, newUser(), connector)).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'memory_add',
      'memory_search',
      'memory_chat',
      'memory_get_profile',
      'memory_list',
      'memory_get',
      'memory_update',
      'memory_delete',
    ]);
    for (const { inputSchema, outputSchema, annotations, description } of tools) {
      expect(findUnfitSchemas(inputSchema)).toEqual([]);
      expect(findUnfitSchemas(outputSchema)).toEqual([]);
      expect(JSON.stringify(inputSchema)).not.toContain('user_id');
      expect(annotations).toMatchObject({ title: expect.any(String), openWorldHint: expect.any(Boolean) });
      expect(description?.length).toBeLessThan(300);
    }
  });

  it('remember, find and read: every id leads to its memory', async () => {
    const connected = await connect({}, newUser(), connector);
    const contents = [
      '我叫小雨',
      '上周三和陈老师吃了火锅',
      '光合作用是植物制造养分的过程',
      '1. 洗米 2. 加水 3. 煮饭',
      'https://example.com/a.pdf',
    ];
    for (const content of contents) {
      const { memory_id: id } = await add(connected, { content, context: null });
      const { memories } = await search(connected, { query: id });
      expect(memories).toEqual([expect.objectContaining({ memory_id: id, content })]);
      expect(JSON.parse(await connected.readText(`mirix://memories/${id}`))).toMatchObject({ memory_id: id, content });
    }
    expect(JSON.parse(await connected.readText('mirix://memory/stats'))).toMatchObject({
      total_memories: 5,
      memory_summary: { core: 1, episodic: 1, semantic: 1, procedural: 1, resource: 1, knowledge_vault: 0 },
    });
  });
});

describe('memory_add', () => {
  it('makes each type useful', async () => {
    const connected = await connect({ clock: () => today });
    await add(connected, { content: '昨天在码头看到了海豚', memory_type: 'episodic' });
    await add(connected, { content: '海豚是一种用肺呼吸的哺乳动物', memory_type: 'semantic' });
    await add(connected, {
      content: 'First untie the ropes, then start the engine, finally push off',
      memory_type: 'procedural',
    });
    await add(connected, { content: '# Tide tables\nsee https://example.com/tides.pdf', memory_type: 'resource' });
    const { memories } = await search(connected, { query: 'dolphin 海豚 ropes tides' });
    const byType = Object.fromEntries(memories.map((memory) => [memory['type'], memory]));
    expect(byType['episodic']).toMatchObject({ occurred_at: '2026-03-10T00:00:00.000Z' });
    expect(byType['semantic']).toMatchObject({ concept: '海豚', definition: '用肺呼吸的哺乳动物' });
    expect(byType['procedural']).toMatchObject({ steps: ['untie the ropes', 'start the engine', 'push off'] });
    expect(byType['resource']).toMatchObject({
      title: 'Tide tables',
      kind: 'document',
      location: 'https://example.com/tides.pdf',
    });
  });

  it('updates a core fact in place', async () => {
    const connected = await connect();
    const first = await add(connected, { content: '住址：青岛市南区', memory_type: 'core' });
    const second = await add(connected, { content: '住址：成都锦江区', memory_type: 'core' });
    expect([second.memory_id, second.message]).toEqual([first.memory_id, expect.stringContaining('in place')]);
    const { memories } = await search(connected, { query: '住址' });
    expect(memories).toMatchObject([{ content: '住址：成都锦江区', previous: [{ content: '住址：青岛市南区' }] }]);
  });

  it('keeps a plainly wrong type as given and says what it looks like', async () => {
    const connected = await connect();
    const content = 'Step 1: boil water\nStep 2: add tea\nStep 3: wait';
    const added = await add(connected, { content, memory_type: 'core' });
    expect(added).toMatchObject({ memory_type: 'core', suggested_type: 'procedural' });
    expect(added.message).toContain('kept as given');
  });

  it.each([
    ['昨天和朋友去爬山', 'episodic'],
    ['Last month the pump broke for good', 'episodic'],
    ['每周五船队集合', 'semantic'],
    ['The last Monday of the month is pay day', 'semantic'],
  ])('takes %j for %s, by when it says that it was', async (content, type) => {
    expect(await add(await connect(), { content })).toMatchObject({ memory_type: type });
  });

  it('takes the default type where rules are off', async () => {
    const connected = await connect({ env: { AUTO_CATEGORIZE_MEMORY: 'false', DEFAULT_MEMORY_TYPE: 'resource' } });
    expect(await add(connected, { content: '1. one 2. two 3. three' })).toMatchObject({ memory_type: 'resource' });
  });

  it.each([
    [{ content: '' }, 'content must not be empty'],
    [{ content: ' \n ' }, 'content must not be empty'],
    [{ content: 'x'.repeat(1_000_001) }, 'content must be at most 1000000 characters'],
    [{ content: 'x', memory_type: 'dream' }, /^memory_type must be one of "core", .*"credentials"$/],
    [{ content: 'x', context: '' }, 'context must not be empty'],
    [{ memory_type: 'core' }, 'content is required (string)'],
    [{ content: '\ud800' }, 'content contains a lone surrogate'],
  ])('refuses %j by name', async (args, message) => {
    const { isError, text } = await (await connect()).callTool('memory_add', args);
    expect(isError).toBe(true);
    if (typeof message === 'string') expect(text).toBe(message);
    else expect(text).toMatch(message);
  });

  it('refuses to write or read for another user', async () => {
    const connected = await connect();
    const { isError, text } = await connected.callTool('memory_add', { content: 'x', user_id: 'somebody-else' });
    expect([isError, text]).toEqual([true, expect.stringContaining('user_id must be')]);
    const { isError: isRefused } = await connected.callTool('memory_search', { query: 'x', user_id: 'somebody-else' });
    expect(isRefused).toBe(true);
  });
});

describe('memory_search', () => {
  it.each([
    [{ query: '' }, 'query must not be empty'],
    [{ query: 'x', limit: 51 }, 'limit must be a whole number from 1 to 50'],
    [{ query: 'x', limit: 0 }, 'limit must be a whole number from 1 to 50'],
    [{ query: 'x', limit: 1.5 }, 'limit must be a whole number from 1 to 50'],
    [{ query: 'x', min_score: 2 }, 'min_score must be a number from 0 to 1'],
    [{ query: 'x', memory_types: ['dream'] }, /^memory_types\[0\] must be one of/],
  ])('refuses %j by name', async (args, message) => {
    const { isError, text } = await (await connect()).callTool('memory_search', args);
    expect(isError).toBe(true);
    expect(text).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  it('holds memories to a score, and says how near the best was where nothing fits', async () => {
    const connected = await connect({}, newUser());
    await add(connected, { content: 'I play second cello in the community orchestra' });
    const query = 'Which orchestra does Owen conduct?';
    const far = await search(connected, { query, min_score: 0.9 });
    expect(far).toMatchObject({ memories: [], total_count: 0, nearest_score: expect.any(Number) });
    expect(far.nearest_score).toBeGreaterThan(0.2);
    expect(far.nearest_score).toBeLessThan(0.9);
    const found = await search(connected, { query });
    expect(found.memories).toHaveLength(1);
    expect(found).not.toHaveProperty('nearest_score');
  });

  it('never answers from before a write, of this process or of another', async () => {
    const user = newUser();
    const connected = await connect({}, user);
    const once = async () => (await search(connected, { query: 'anchor' })).memories.map(({ content }) => content);
    /** From the second time on the answer may come from memory. */
    const ask = async () => {
      await once();
      await once();
      return once();
    };
    await add(connected, { content: 'The anchor is rusty' });
    expect(await ask()).toEqual(['The anchor is rusty']);
    await add(connected, { content: 'The anchor chain is new' });
    expect((await ask()).length).toBe(2);
    const elsewhere = openStore();
    const core = (content: string) => ({ type: 'core' as const, content, key: 'anchor', importance: 5, details: {} });
    const { id = '' } = await elsewhere.add(user, core('anchor: iron'));
    expect(await ask()).toContain('anchor: iron');
    await elsewhere.add(user, core('anchor: steel'));
    expect(await ask()).toContain('anchor: steel');
    await fetch(`${service?.url}/documents/${id}?user_id=${user}`, { method: 'DELETE' });
    expect(await ask()).not.toContain('anchor: steel');
  });

  it('shows nothing of another user, under any id or query', async () => {
    const ann = await connect();
    const { memory_id: id } = await add(ann, { content: 'Ann keeps a spare key under the blue pot' });
    await ann.close();
    const bob = await connect();
    expect(await search(bob, { query: 'spare key blue pot' })).toMatchObject({ total_count: 0 });
    expect(await search(bob, { query: id })).toMatchObject({ total_count: 0 });
    await expect(bob.readText(`mirix://memories/${id}`)).rejects.toThrow('names no memory of this user');
  });
});

describe('what is so now', () => {
  it.each([
    ['我喜欢喝龙井茶', '我不喜欢喝龙井茶了', '我喜欢喝什么茶'],
    ['I love green tea', "I don't like green tea any more", 'do I love green tea?'],
  ])('replaces %j by %j, in the profile too', async (before, now, query) => {
    const connected = await connect();
    const { memory_id: id } = await add(connected, { content: before, memory_type: 'core' });
    expect(await add(connected, { content: now, memory_type: 'core' })).toMatchObject({ memory_id: id });
    expect(await search(connected, { query })).toMatchObject({
      memories: [{ content: now, previous: [{ content: before }] }],
    });
    const { structured } = await connected.callTool('memory_get_profile');
    expect(structured).toMatchObject({ profile: { core_understanding: now }, total_memories: 1 });
  });

  it.each([
    ['I used to live in Berlin', 'I live in Porto', 'where did I use to live, in Berlin?'],
    ['我以前住在北京', '我现在住在成都', '我以前住在北京吗'],
  ])('stands before %j: %j', async (before, now, query) => {
    const connected = await connect();
    await add(connected, { content: now, memory_type: 'core' });
    await add(connected, { content: before, memory_type: 'core' });
    const { memories } = await search(connected, { query });
    const [first, second] = memories;
    expect(memories.map(({ content }) => content)).toEqual([now, before]);
    expect(Number(first?.['score'])).toBeGreaterThanOrEqual(Number(second?.['score']));
    expect(await search(connected, { query, limit: 1 })).toMatchObject({ memories: [{ content: now }] });
    expect((await connected.callTool('memory_get_profile')).structured).toMatchObject({
      profile: { core_understanding: now },
    });
  });
});

describe('memory_get_profile', () => {
  it('is empty for a new user', async () => {
    const { structured } = await (await connect()).callTool('memory_get_profile', {});
    expect(structured).toMatchObject({
      total_memories: 0,
      last_updated: null,
      profile: { core_understanding: '', recent_activities: [], knowledge_areas: [] },
    });
  });

  it('was last updated when something was last told, however long ago that happened', async () => {
    let now = today;
    const clock = () => now;
    const connected = await connect({ clock, store: openTestStore(service?.url ?? '', clock) });
    for (let at = 1; at <= 51; at += 1) await add(connected, { content: `Race ${at} today`, memory_type: 'episodic' });
    now = new Date('2026-03-12T09:00:00Z');
    await add(connected, { content: 'In May 1999 I learned to sail', memory_type: 'episodic' });
    const { structured } = await connected.callTool('memory_get_profile');
    expect(structured).toMatchObject({ total_memories: 52, last_updated: now.toISOString() });
  });

  it('tells days and hours in the zone that is set', async () => {
    const connected = await connect({ clock: () => today, env: { TIMEZONE: 'Asia/Shanghai' } });
    const { memory_type: type } = await add(connected, { content: '2026-12-01 早上7点去体检' });
    const { memories } = await search(connected, { query: '体检' });
    expect([type, memories]).toMatchObject(['episodic', [{ occurred_at: '2026-11-30T23:00:00.000Z' }]]);
    expect((await connected.callTool('memory_get_profile')).structured).toMatchObject({
      profile: { recent_activities: ['[2026-12-01] 2026-12-01 早上7点去体检'] },
    });
  });

  it('is made of what is stored, as a whole or of some types', async () => {
    const user = newUser();
    const connected = await connect({ clock: () => today }, user);
    await add(connected, { content: '我对花生过敏', memory_type: 'core' });
    await add(connected, { content: 'Yesterday I sailed to the island', memory_type: 'episodic' });
    await add(connected, { content: 'Sextant: measures the angle of the sun', memory_type: 'semantic' });
    const { structured } = await connected.callTool('memory_get_profile');
    expect(structured).toMatchObject({
      success: true,
      user_id: user,
      profile: {
        core_understanding: '我对花生过敏',
        recent_activities: ['[2026-03-10] Yesterday I sailed to the island'],
        knowledge_areas: ['Sextant'],
        written_by: 'list',
      },
      memory_summary: { core: 1, episodic: 1, semantic: 1, procedural: 0, resource: 0, knowledge_vault: 0 },
      total_memories: 3,
      last_updated: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/u),
    });
    const { structured: some } = await connected.callTool('memory_get_profile', {
      memory_types: ['core', 'credentials'],
    });
    expect(some).toMatchObject({ memory_summary: { core: 1, knowledge_vault: 0 }, total_memories: 1 });
  });
});

describe('memory_chat', () => {
  it('says how to configure a model when there is none', async () => {
    const { isError, text } = await (await connect()).callTool('memory_chat', { message: 'hi' });
    expect(isError).toBe(true);
    for (const name of ['LLM_API_KEY', 'LLM_BASE_URL', 'LLM_MODEL', 'AI_MODEL']) expect(text).toContain(name);
  });
});

describe('a memory with an end', () => {
  const [past, later] = ['2020-01-01T00:00:00Z', '2999-01-01T08:00:00+08:00'];
  const laterIso = '2999-01-01T00:00:00.000Z';
  // The knowledge base of these tests has the time of day.
  const then = new Date('2900-03-11T09:00:00Z');
  const HOUR = 3_600_000;
  interface Ends {
    readonly expires_at?: string;
    readonly next?: string;
  }

  it.each([
    ['a short one', 'The gate code of the garden party is green lantern'],
    ['one that passages stand for', `Notes of the garden party. ${'The lanterns hang by the gate. '.repeat(400)}`],
  ])('is there until then, and by nothing after it; said again it is there again: %s', async (_name, content) => {
    const connected = await connect();
    const find = async () => (await search(connected, { query: 'garden party gate' })).memories.length;
    const { memory_id: id } = await add(connected, { content, memory_type: 'semantic', expires_at: later });
    expect(await find()).toBe(1);
    // Without an end it keeps the one that it has; with another it has that.
    await add(connected, { content, memory_type: 'semantic' });
    expect(await find()).toBe(1);
    await add(connected, { content, memory_type: 'semantic', expires_at: past });
    expect(await find()).toBe(0);
    expect(await connected.callTool('memory_get', { memory_id: id })).toMatchObject({ isError: true });
    expect((await add(connected, { content, memory_type: 'semantic' })).memory_id).toBe(id);
    expect(await find()).toBe(1);
  });

  it.each([
    ['of a rule, anew', () => HOUR, { expires_at: later }, '2900-03-11T10:00:00.000Z'],
    ['of the value before, where no rule is about it', () => undefined, { expires_at: later }, laterIso],
    [
      'that it says itself',
      () => HOUR,
      { expires_at: later, next: '2998-01-01T00:00:00Z' },
      '2998-01-01T00:00:00.000Z',
    ],
    ['none, where nothing says one', undefined, {}, undefined],
  ])('gives the next value of a fact the end %s', async (_name, toLifetime, { expires_at, next }: Ends, end) => {
    const user = newUser();
    const connected = await connect({ store: openStore(() => then, toLifetime) }, user);
    await add(connected, { content: '住址：青岛市南区', memory_type: 'core', ...(expires_at && { expires_at }) });
    const expires = next === undefined ? {} : { expires_at: next };
    const { memory_id: id } = await add(connected, { content: '住址：成都锦江区', memory_type: 'core', ...expires });
    expect((await readDocument(user, id)).metadata['forget_at']).toBe(end);
  });

  it.each([
    ['a short one', 'The gate code of the garden party is red lantern'],
    ['one that passages stand for', `Notes of the garden party. ${'The lanterns hang by the wall. '.repeat(400)}`],
  ])('keeps its end when its words are corrected: %s', async (_name, content) => {
    const user = newUser();
    const connected = await connect(
      {
        store: openStore(
          () => then,
          () => HOUR,
        ),
      },
      user,
    );
    const words = 'The gate code of the garden party is green lantern';
    const { memory_id: id } = await add(connected, { content: words, memory_type: 'semantic', expires_at: later });
    await connected.callTool('memory_update', { memory_id: id, content });
    for (const one of content.length > 4_000 ? [id, `${id}-p0`, `${id}-p1`] : [id]) {
      expect((await readDocument(user, one)).metadata['forget_at']).toBe(laterIso);
    }
  });

  it('names what an end may be', async () => {
    const { isError, text } = await (await connect()).callTool('memory_add', { content: 'x', expires_at: 'soon' });
    expect([isError, text]).toEqual([true, expect.stringMatching(/expires_at.*ISO 8601/u)]);
  });
});
