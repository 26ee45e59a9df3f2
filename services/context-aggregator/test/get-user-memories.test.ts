import type { JsonObject } from '@contextloom/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { toUserMemory } from '../src/domain/memories/user-memory.ts';
import { type RunningAggregator, startAggregator } from './support/composition.ts';
import { knowledgeBase, toResult } from './support/scripts.ts';

const TOOL = 'get_user_memories';

let running: RunningAggregator | undefined;

async function start(script: Record<string, unknown>, others: readonly string[] = []) {
  running = await startAggregator({
    servers: {
      'knowledge-base': knowledgeBase(script),
      ...Object.fromEntries(others.map((name) => [name, knowledgeBase({})])),
    },
    aggregator: { source_deadline_ms: 200_000 },
  });
  return running;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('get_user_memories', () => {
  const metadata = {
    importance: 8.5,
    memory_type: 'preference',
    created_at: '2024-05-02T08:00:00Z',
    occurred_at: '2024-05-01T20:00:00Z',
    transcript: 'spring',
    turns: '3-8',
  };
  const full = {
    id: 'm1',
    content: '喜欢绿茶',
    importance: 8.5,
    memory_type: 'preference',
    created_at: '2024-05-02T08:00:00Z',
    tags: ['memory'],
    occurred_at: '2024-05-01T20:00:00Z',
    day: '2024-05-01',
    source: 'spring 3-8',
  };
  const bare = { id: 'm2', content: 'x', importance: null, memory_type: null, created_at: null, tags: ['memory'] };

  it('tells the month or year of a memory of which no day was said', async () => {
    const dated = { ...metadata, occurred_at: '2024-05-01T00:00:00Z', occurred_on: '2024-05' };
    const { client } = await start({ results: [toResult('喜欢绿茶', dated, 'm1')], total: 1 });
    const { structured } = await client.callTool(TOOL, { user_id: 'ann', query: '茶' });
    const told = { ...full, occurred_at: '2024-05-01T00:00:00Z', occurred_on: '2024-05', day: '2024-05' };
    expect(structured).toEqual({ success: true, user_id: 'ann', total_memories: 1, memories: [told] });
  });

  it('tells the day where the user is, of what nothing but a call or its storing dates', () => {
    const dayOf = (more: JsonObject, tags: readonly string[] = []) =>
      toUserMemory({ id: 'm', content: 'x', tags, metadata: more }, 'Pacific/Auckland').day;
    const time = '2024-05-01T20:00:00Z';
    expect(dayOf({ occurred_at: time, occurred_at_source: 'call' })).toBe('2024-05-02');
    expect(dayOf({ created_at: time }, ['note'])).toBe('2024-05-02');
    // Others are told by the clock of those who spoke.
    expect(dayOf({ occurred_at: time })).toBe('2024-05-01');
    expect(dayOf({ created_at: time })).toBeUndefined();
  });

  it('names the services that may remember more, of which it lists nothing', async () => {
    const { client } = await start({ results: [], total: 0 }, ['typed-memory', 'personal-memory', 'weather']);
    const { structured } = await client.callTool(TOOL, { user_id: 'ann' });
    expect(structured).toMatchObject({ memories: [], not_listed: ['personal-memory', 'typed-memory'] });
  });

  it('names the conversation as people do, and one without a name by its day', async () => {
    const titled = { ...metadata, transcript: 'chatgpt-conv-4', title: 'Spring in Leith' };
    const nameless = { ...metadata, transcript: 'conversation-498dd9ca498dd9ca', said_at: '2024-04-30T08:00:00Z' };
    const results = [toResult('a', titled, 'm1'), toResult('b', nameless, 'm2')];
    const { client } = await start({ results, total: 2 });
    const { structured } = await client.callTool(TOOL, { user_id: 'ann', query: '茶' });
    expect(structured).toMatchObject({
      memories: [{ source: 'Spring in Leith 3-8' }, { source: 'a conversation of 2024-04-30 3-8' }],
    });
  });

  it('shows memories in the order of the search, with the total of the filter', async () => {
    const { client } = await start({
      results: [toResult('喜欢绿茶', metadata, 'm1'), toResult('x', {}, 'm2')],
      total: 41,
    });
    const { isError, structured, text } = await client.callTool(TOOL, { user_id: 'ann', query: '茶', top_k: 2 });
    expect(isError).toBe(false);
    expect(structured).toEqual({ success: true, user_id: 'ann', total_memories: 41, memories: [full, bare] });
    expect(JSON.parse(text)).toEqual(structured);
  });

  it('asks only for memories of the user, of the type that is wanted, and counts under the same filter', async () => {
    const { client, calls } = await start({ results: [], total: 0 });
    await client.callTool(TOOL, { user_id: 'ann', query: '茶', top_k: 2, memory_type: 'event' });
    const filter = { tags: ['memory'], metadata_filter: { user_id: 'ann', memory_type: 'event' } };
    const made = (await calls('knowledge-base')).map(({ name, args }) => ({ name, args }));
    expect(made).toHaveLength(2);
    expect(made).toContainEqual({ name: 'search_documents', args: { query: '茶', top_k: 2, ...filter } });
    expect(made).toContainEqual({ name: 'list_documents', args: { limit: 1, ...filter } });
  });

  it('leaves out what scores nothing, but in a listing', async () => {
    const results = [toResult('喜欢绿茶'), { ...toResult('狗叫阿黄'), score: 0 }];
    const { client } = await start({ results, total: 2 });
    const contentsOf = async (query: string) => {
      const { structured } = await client.callTool(TOOL, { user_id: 'ann', query });
      return (structured as { memories: { content: string }[] }).memories.map(({ content }) => content);
    };
    expect(await contentsOf('四川菜')).toEqual(['喜欢绿茶']);
    expect(await contentsOf('')).toEqual(['喜欢绿茶', '狗叫阿黄']);
  });

  it('lists without a query when null is given for every optional argument', async () => {
    const { client, calls } = await start({ results: [toResult('x')], total: 1 });
    const nulls = { query: null, top_k: null, memory_type: null };
    expect((await client.callTool(TOOL, { user_id: 'ann', ...nulls })).isError).toBe(false);
    const args = { query: '', top_k: 10, tags: ['memory'], metadata_filter: { user_id: 'ann' } };
    expect(await calls('knowledge-base')).toContainEqual(expect.objectContaining({ args }));
  });

  it('takes the number found for the total when the knowledge base has no list', async () => {
    const { client } = await start({ results: [toResult('x'), toResult('y')] });
    const { structured } = await client.callTool(TOOL, { user_id: 'ann' });
    expect(structured).toMatchObject({ total_memories: 2 });
  });

  it("drops another user's memories that the knowledge base lets through", async () => {
    const { client } = await start({ results: [toResult('secret', { user_id: 'bob' }), toResult('x')], total: 1 });
    const { structured } = await client.callTool(TOOL, { user_id: 'ann' });
    expect(structured).toMatchObject({ memories: [{ ...bare, id: 'x' }] });
  });

  it.each([
    ['error', 'knowledge-base answered with an error.'],
    ['rubbish', 'knowledge-base answered in a form that cannot be read.'],
    ['own_error', 'the model cannot be reached'],
    ['die', 'knowledge-base broke off.'],
  ])('is an error of one line, in our own words, when the knowledge base fails (%s)', async (mode, text) => {
    const { client } = await start({ mode, results: [] });
    expect(await client.callTool(TOOL, { user_id: 'ann' })).toMatchObject({ isError: true, text });
  });

  it.each([
    [{ user_id: '' }, /^user_id must be 1 to 256 characters/],
    [{}, /^user_id is required/],
    [{ user_id: 'ann', top_k: 101 }, /^top_k must be at most 100/],
    [{ user_id: 'ann', memory_type: 'dream' }, /^memory_type must be one of "preference"/],
  ])('refuses %j, naming the argument', async (args, message) => {
    const { client } = await start({ results: [] });
    const { isError, text } = await client.callTool(TOOL, args);
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(message) });
  });
});
