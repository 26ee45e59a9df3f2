import { setTimeout as sleep } from 'node:timers/promises';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, jsonSchema, streamText, type ToolSet } from 'ai';
import { OpenAI } from 'openai';
import { AGGREGATOR, createChatMemory } from '../src/memory.ts';
import { type Provider, startProvider } from './support/provider.ts';
import { startProxy, type TriedProxy } from './support/start-proxy.ts';

const PROMPT = 'You are Marlow.';
const BLOCK = 'Ann likes tea.';

let provider: Provider;
let proxy: TriedProxy;
beforeEach(async () => {
  provider = await startProvider();
  proxy = await startProxy(provider.url);
  proxy.gives = { before: PROMPT, beside: BLOCK, state: 'complete' };
});
afterEach(async () => {
  await proxy.close();
  await provider.close();
});

const head = { id: 'c1', object: 'chat.completion', created: 1, model: 'm' };
const call = { id: 't1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bonn"}' } };
const answers = {
  text: {
    ...head,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello Ann.' } }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
  tools: {
    ...head,
    choices: [
      { index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: null, tool_calls: [call] } },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
};
const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const stream = `${chunk({ role: 'assistant', content: '' })}${chunk({ content: 'Hello ' })}${chunk({ content: 'Ann.' })}${chunk({}, 'stop')}data: [DONE]\n\n`;

type Kind = keyof typeof answers | 'stream' | 429 | 500;

function answerWith(kind: Kind): void {
  provider.answer = (_request, response) => {
    if (kind === 'stream') response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream);
    else if (typeof kind === 'number') {
      response
        .writeHead(kind, { 'content-type': 'application/json' })
        .end('{"error":{"message":"no","type":"t","code":"c"}}');
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[kind]));
  };
}

const parameters = { type: 'object', properties: { city: { type: 'string' } } } as const;
const question = 'How is the weather?';

/** Leaves after the first words of a stream. */
interface Leaving {
  readonly signal: AbortSignal;
  readonly leave: () => void;
}

async function askOpenAi(baseURL: string, kind: Kind, leaving?: Leaving): Promise<unknown> {
  const openai = new OpenAI({ baseURL, apiKey: 'sk-1', maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: question }];
  const request = {
    model: 'm',
    messages,
    tools: [{ type: 'function' as const, function: { name: 'weather', parameters } }],
  };
  if (kind !== 'stream') return openai.chat.completions.create(request);
  let text = '';
  const streamed = await openai.chat.completions.create(
    { ...request, stream: true },
    { signal: leaving?.signal ?? null },
  );
  for await (const piece of streamed) {
    text += piece.choices[0]?.delta.content ?? '';
    if (text !== '') leaving?.leave();
  }
  return text;
}

async function askAiSdk(baseURL: string, kind: Kind, leaving?: Leaving): Promise<unknown> {
  const model = createOpenAICompatible({ name: 'p', baseURL, apiKey: 'sk-1' })('m');
  const tools: ToolSet = { weather: { inputSchema: jsonSchema(parameters) } };
  const request = { model, prompt: question, tools, maxRetries: 0 };
  if (kind === 'stream') {
    let text = '';
    for await (const piece of streamText({ ...request, ...(leaving && { abortSignal: leaving.signal }) }).textStream) {
      text += piece;
      leaving?.leave();
    }
    return text;
  }
  const { text, toolCalls, finishReason } = await generateText(request);
  return { text, finishReason, calls: toolCalls.map(({ toolName, input }) => ({ toolName, input })) };
}

async function askLangChain(baseURL: string, kind: Kind, leaving?: Leaving): Promise<unknown> {
  const model = new ChatOpenAI({ model: 'm', apiKey: 'sk-1', maxRetries: 0, configuration: { baseURL } });
  const bound = model.bindTools([{ type: 'function', function: { name: 'weather', parameters } }]);
  if (kind === 'stream') {
    let text = '';
    for await (const piece of await bound.stream(question, { ...(leaving && { signal: leaving.signal }) })) {
      text += String(piece.content);
      if (text !== '') leaving?.leave();
    }
    return text;
  }
  const { content, tool_calls: calls } = await bound.invoke(question);
  return { content, calls };
}

const clients = { "OpenAI's SDK": askOpenAi, 'the AI SDK': askAiSdk, LangChain: askLangChain };
const system = `${JSON.stringify({ role: 'system', content: PROMPT })},`;

/** What a client gets, or what of its error a program sees. */
const settle = (requested: Promise<unknown>): Promise<unknown> =>
  requested.catch((error: unknown) => {
    const { name, status, statusCode, message } = Object(error);
    return { name, status: status ?? statusCode, message };
  });

describe.each(Object.entries(clients))('%s', (_name, ask) => {
  it.each(['text', 'tools', 'stream', 429, 500] as const)(
    'sends the same bytes through the proxy but for what memory adds, and gets the same answer: %s',
    async (kind) => {
      answerWith(kind);
      const direct = await settle(ask(`${provider.url}/v1`, kind));
      const through = await settle(ask(`${proxy.url}/v1`, kind));
      expect(through).toEqual(direct);
      const [first, second] = provider.seen;
      expect(provider.seen).toHaveLength(2);
      expect(String(second?.body)).toContain(system);
      const added = `\\n\\n${BLOCK}`;
      expect(String(second?.body)).toContain(question + added);
      expect(String(second?.body).replace(system, '').replace(added, '')).toBe(String(first?.body));
      expect([second?.url, second?.headers.authorization]).toEqual(['/v1/chat/completions', 'Bearer sk-1']);
      if (typeof kind === 'number') expect(through).toMatchObject({ status: kind });
    },
  );

  it('that leaves half-way ends the request to the provider, and what was said so far is stored', async () => {
    provider.answer = (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(chunk({ role: 'assistant', content: 'Hello ' }));
    };
    const leaving = new AbortController();
    await settle(ask(`${proxy.url}/v1`, 'stream', { signal: leaving.signal, leave: () => leaving.abort() }));
    await provider.seen[0]?.closed;
    for (let tries = 0; proxy.stored.length === 0 && tries < 500; tries += 1) await sleep(10);
    expect(proxy.stored[0]?.said.map(({ content }) => content)).toEqual([question, 'Hello ']);
  });

  it('waits for a provider that is slow, and hears that one is away', async () => {
    provider.answer = async (_request, response) => {
      await sleep(300);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers.text));
    };
    expect(JSON.stringify(await ask(`${proxy.url}/v1`, 'text'))).toContain('Hello Ann.');
    await proxy.close();
    proxy = await startProxy('http://127.0.0.1:9');
    expect(await settle(ask(`${proxy.url}/v1`, 'text'))).toMatchObject({ status: 503 });
  });

  it('goes on as it came without a memory that is away, or never answers', async () => {
    const silent = await startProvider();
    silent.answer = () => undefined;
    answerWith('text');
    const direct = await ask(`${provider.url}/v1`, 'text');
    for (const url of ['http://127.0.0.1:9/mcp', `${silent.url}/mcp`]) {
      const servers = { [AGGREGATOR]: { url, headers: {} } };
      const upstreams = createUpstreams({ servers, clientName: 'test', clientVersion: '0', log: silentLog });
      const options = { upstreams, deadlineMs: 200, placement: 'last_message' as const, log: silentLog };
      await proxy.close();
      proxy = await startProxy(provider.url, { memory: createChatMemory(options), stores: false });
      expect(await ask(`${proxy.url}/v1`, 'text')).toEqual(direct);
      expect(String(provider.seen.at(-1)?.body)).toBe(String(provider.seen[0]?.body));
      await upstreams.close();
    }
    await silent.close();
  });
});
