import { setTimeout as sleep } from 'node:timers/promises';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AGGREGATOR, createChatMemory } from '../src/memory.ts';
import { type Anthropic, type AnthropicClient, INSTALL_MS, loadAnthropic } from './support/anthropic-sdk.ts';
import { type Provider, startProvider } from './support/provider.ts';
import { startProxy, type TriedProxy } from './support/start-proxy.ts';

let Client: Anthropic;
beforeAll(async () => {
  Client = await loadAnthropic();
}, INSTALL_MS);

let provider: Provider;
let proxy: TriedProxy;
beforeEach(async () => {
  provider = await startProvider();
  proxy = await startProxy(provider.url, { marks: true });
  proxy.gives = { before: 'You are Marlow.', beside: 'Ann likes tea.', state: 'complete' };
});
afterEach(async () => {
  await proxy.close();
  await provider.close();
});

const open = (baseURL: string): AnthropicClient => new Client({ baseURL, apiKey: 'sk-1', maxRetries: 0 });
const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_sequence: null };
const usage = { input_tokens: 1, output_tokens: 1 };
const tool = { type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Bonn' } };
const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
const answers = {
  text: {
    ...head,
    content: [thinking, { type: 'text', text: 'Hello Ann.' }],
    stop_reason: 'end_turn',
    usage,
  },
  tools: { ...head, content: [tool], stop_reason: 'tool_use', usage },
};
const event = (type: string, more: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const events = [
  event('message_start', { message: { ...head, content: [], stop_reason: null, usage } }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello ' } }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Ann.' } }),
  event('content_block_stop', { index: 0 }),
  event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage }),
  event('message_stop'),
];
const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };
const request = {
  model: 'claude',
  max_tokens: 100,
  system: 'Be brief.',
  tools: [{ name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'How is the weather?' }, picture] }],
};
const json = { 'content-type': 'application/json' };
const answerWith = (status: number, body: object) => {
  provider.answer = (_request, response) => response.writeHead(status, json).end(JSON.stringify(body));
};
const settle = (requested: Promise<unknown>) =>
  requested.catch((error: unknown) => {
    const { name, status, message } = Object(error);
    return { name, status, message };
  });

describe("Anthropic's SDK", () => {
  it.each([
    ['text and thinking', 200, answers.text],
    ['a call of a tool', 200, answers.tools],
    ['an error', 529, { type: 'error', error: { type: 'overloaded_error', message: 'busy' } }],
  ])(
    'gets the same through the proxy, and sends the same but for what memory adds: %s',
    async (_name, status, body) => {
      answerWith(status, body);
      const direct = await settle(open(provider.url).messages.create(request));
      const through = await settle(open(proxy.url).messages.create(request));
      expect(through).toEqual(direct);
      const [first, second] = provider.seen.map((seen) => JSON.parse(String(seen.body)));
      const content = request.messages.flatMap((message) => message.content);
      const mark = { cache_control: { type: 'ephemeral' } };
      const said = [content[0], { ...mark, ...picture }, { type: 'text', text: 'Ann likes tea.' }];
      const system = 'You are Marlow.\n\n---\n\nBe brief.';
      expect(second).toEqual({ ...first, system, messages: [{ role: 'user', content: said }] });
      for (const name of ['authorization', 'x-api-key']) {
        expect(provider.seen[1]?.headers[name]).toBe(provider.seen[0]?.headers[name]);
      }
      expect(JSON.stringify(provider.seen[1]?.headers)).toContain('sk-1');
    },
  );

  it('streams, and what was said is stored', async () => {
    provider.answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
    expect(await open(proxy.url).messages.stream(request).finalText()).toBe('Hello Ann.');
    for (let tries = 0; proxy.stored.length === 0 && tries < 500; tries += 1) await sleep(10);
    expect(proxy.stored[0]?.said.map(({ content }) => content)).toEqual(['How is the weather?', 'Hello Ann.']);
  });

  it('that leaves half-way ends the request to the provider', async () => {
    provider.answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events.slice(0, 3).join(''));
    const stream = open(proxy.url).messages.stream(request);
    await expect(
      (async () => {
        for await (const { type } of stream) if (type === 'content_block_delta') stream.abort();
      })(),
    ).rejects.toThrow();
    await provider.seen[0]?.closed;
    for (let tries = 0; proxy.stored.length === 0 && tries < 500; tries += 1) await sleep(10);
    expect(proxy.stored[0]?.said.at(-1)?.content).toBe('Hello ');
  });

  it('counts tokens of its own request', async () => {
    answerWith(200, { input_tokens: 7 });
    const { max_tokens: _max, ...counted } = request;
    expect(await open(proxy.url).messages.countTokens(counted)).toEqual({ input_tokens: 7 });
    expect(JSON.parse(String(provider.seen[0]?.body))).toEqual(counted);
  });

  it('waits for a provider that is slow, and hears of one that is away', async () => {
    provider.answer = async (_request, response) => {
      await sleep(300);
      response.writeHead(200, json).end(JSON.stringify(answers.text));
    };
    expect(await open(proxy.url).messages.create(request)).toMatchObject({ content: answers.text.content });
    await proxy.close();
    proxy = await startProxy('http://127.0.0.1:9');
    expect(await settle(open(proxy.url).messages.create(request))).toMatchObject({
      status: 503,
      message: expect.stringContaining('cannot be reached'),
    });
  });

  it('goes on without a memory that is away, or never answers', async () => {
    const silent = await startProvider();
    silent.answer = () => undefined;
    answerWith(200, answers.text);
    for (const url of ['http://127.0.0.1:9/mcp', `${silent.url}/mcp`]) {
      const upstreams = createUpstreams({
        servers: { [AGGREGATOR]: { url, headers: {} } },
        clientName: 'test',
        clientVersion: '0',
        log: silentLog,
      });
      const options = { upstreams, deadlineMs: 200, placement: 'last_message' as const, log: silentLog };
      await proxy.close();
      proxy = await startProxy(provider.url, { memory: createChatMemory(options), stores: false, marks: true });
      expect(await open(proxy.url).messages.create(request)).toMatchObject({ content: answers.text.content });
      expect(JSON.parse(String(provider.seen.at(-1)?.body))).toEqual(request);
      await upstreams.close();
    }
    await silent.close();
  });
});
