import { connectInMemory, type TestClient } from '@contextloom/testing';
import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openMirixTestStore } from './support/mirix-store.ts';
import { type ScriptedMirix, startScriptedMirix } from './support/scripted-mirix.ts';
import { newUser, openTestServer, type TestServiceOptions } from './support/service.ts';

let [server, desktop] = [undefined, undefined] as unknown as [ScriptedMirix, ScriptedMirix];
let client: TestClient | undefined;
let endpoint: ScriptedOpenAi | undefined;
beforeAll(async () => {
  [server, desktop] = await Promise.all([startScriptedMirix('server'), startScriptedMirix('desktop')]);
});
afterEach(async () => {
  await client?.close();
  await endpoint?.close();
});
afterAll(() => Promise.all([server.close(), desktop.close()]));

async function connect(mirix: ScriptedMirix, userId = newUser(), options: Partial<TestServiceOptions> = {}) {
  if (mirix === desktop) desktop.activate(userId);
  const { factory } = await openTestServer(userId, { store: openMirixTestStore(mirix), ...options });
  client = await connectInMemory(factory);
  return { connected: client, userId };
}

async function call(connected: TestClient, name: string, args: Record<string, unknown> = {}) {
  const { structured, isError, text } = await connected.callTool(name, args);
  if (isError) throw new Error(text);
  return structured as Record<string, unknown> & { memories?: readonly Record<string, unknown>[] };
}

describe.each([
  ['the server of today', () => server, 'has made memories of it'],
  ['the desktop backend', () => desktop, 'makes memories of it later'],
])('the tools over %s', (_name, mirixOf, handed) => {
  it('remember without an id, and say so; what is found has one that leads to it', async () => {
    const { connected, userId } = await connect(mirixOf());
    const added = await call(connected, 'memory_add', { content: '榫卯是一种不用钉子的连接', memory_type: 'semantic' });
    expect(added).toEqual({ success: true, message: expect.stringContaining(handed), memory_type: 'semantic' });
    expect(added['message']).toContain('gives no ids');
    const { memories = [] } = await call(connected, 'memory_search', { query: '榫卯' });
    expect(memories).toMatchObject([{ type: 'semantic', content: '榫卯是一种不用钉子的连接' }]);
    const id = String(memories[0]?.['memory_id']);
    expect(await call(connected, 'memory_search', { query: id })).toMatchObject({ total_count: 1 });
    expect(JSON.parse(await connected.readText(`mirix://memories/${id}`))).toMatchObject({ memory_id: id });
    expect(JSON.parse(await connected.readText('mirix://memory/stats'))).toMatchObject({
      user_id: userId,
      total_memories: 1,
      memory_summary: { semantic: 1, knowledge_vault: 0 },
    });
    expect(JSON.parse(await connected.readText('mirix://status'))).toMatchObject({
      status: 'running',
      backend: 'MIRIX server',
      chat: mirixOf() === desktop,
    });
  });

  it('make a profile of what is there', async () => {
    const { connected } = await connect(mirixOf());
    await call(connected, 'memory_add', { content: '我对花生过敏', memory_type: 'core' });
    await call(connected, 'memory_add', { content: 'Sailed to the island', memory_type: 'episodic' });
    expect(await call(connected, 'memory_get_profile')).toMatchObject({
      profile: {
        core_understanding: '我对花生过敏',
        recent_activities: ['[2026-03-01] Sailed to the island'],
      },
      memory_summary: { core: 1, episodic: 1, semantic: 0 },
      total_memories: 2,
    });
  });

  it('hand nothing over that is to be forgotten at an end, which nobody there would keep', async () => {
    const { connected } = await connect(mirixOf());
    const before = mirixOf().calls.length;
    const end = { content: 'The gate code is green lantern', expires_at: '2999-01-01T00:00:00Z' };
    const { isError, text } = await connected.callTool('memory_add', end);
    expect([isError, text]).toEqual([true, expect.stringMatching(/expires_at cannot be kept by the MIRIX/u)]);
    expect(JSON.stringify(mirixOf().calls.slice(before))).not.toContain('lantern');
  });

  it('never hand a secret over that nobody said may be in clear', async () => {
    const { connected } = await connect(mirixOf());
    const before = mirixOf().calls.length;
    const add = (args: object) =>
      connected.callTool('memory_add', { content: 'my password is hunter2-Delta!', ...args });
    for (const args of [{}, { memory_type: 'knowledge_vault' }, { memory_type: 'credentials' }]) {
      const { isError, text } = await add(args);
      expect([isError, text]).toEqual([true, expect.stringContaining('MIRIX server')]);
    }
    expect(JSON.stringify(mirixOf().calls.slice(before))).not.toContain('hunter2');
    expect(await call(connected, 'memory_search', { query: 'x', memory_types: ['credentials'] })).toMatchObject({
      total_count: 0,
    });
  });

  it('are never answered from before a write, of whatever program', async () => {
    const { connected, userId } = await connect(mirixOf());
    const ask = async () => (await call(connected, 'memory_search', { query: 'anchor' })).memories?.length;
    expect(await ask()).toBe(0);
    mirixOf().items.set(userId, [{ id: 'elsewhere', type: 'semantic', text: 'The anchor is rusty' }]);
    expect(await ask()).toBe(1);
  });
});

describe('memory_chat', () => {
  it('searches MIRIX, answers with our model, and adds', async () => {
    const memories = [{ type: 'core', content: '用户是船匠', context: null, importance: 8 }];
    endpoint = await startScriptedOpenAi({
      chat: ({ body }) => ({
        kind: 'answer',
        text: body.response_format === undefined ? '你好，船匠。' : JSON.stringify({ memories }),
      }),
    });
    const env = { LLM_BASE_URL: endpoint.url, LLM_API_KEY: endpoint.apiKey, AI_MODEL: 'scripted' };
    const { connected, userId } = await connect(server, newUser(), { env });
    server.items.set(userId, [{ id: '1', type: 'core', text: '工作坊在青岛' }]);
    expect(await call(connected, 'memory_chat', { message: '你好，我是船匠。' })).toMatchObject({
      response: '你好，船匠。',
      memorized: true,
      memory_updates: [{ action: 'processed', memory_type: 'core', content: '用户是船匠' }],
    });
    expect(JSON.stringify(endpoint.requests)).toContain('工作坊在青岛');
    expect(server.items.get(userId)?.map(({ text }) => text)).toEqual(['工作坊在青岛', '用户是船匠']);
  });

  it('needs a model over the server of today, and says how to configure one', async () => {
    const { connected } = await connect(server);
    const { isError, text } = await connected.callTool('memory_chat', { message: 'hi' });
    expect([isError, text]).toEqual([true, expect.stringContaining('LLM_API_KEY')]);
  });

  it('is answered by the agent of the desktop backend where no model is configured', async () => {
    const { connected } = await connect(desktop);
    expect(await call(connected, 'memory_chat', { message: 'hi', memorizing: false })).toEqual({
      success: true,
      response: 'You said: hi',
      memorized: false,
      memory_updates: [],
    });
    expect(await call(connected, 'memory_chat', { message: 'hi' })).toMatchObject({
      response: 'You said: hi',
      memorized: true,
      memory_updates: [],
      note: expect.stringContaining('does not tell'),
    });
    const refused = await connected.callTool('memory_chat', { message: 'x', image_uris: ['file:///etc/passwd'] });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('image_uris[0] must be')]);
  });
});
