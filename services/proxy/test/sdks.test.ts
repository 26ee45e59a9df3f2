import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { silentLog } from '@contextloom/runtime';
import { type Listening, listen } from '@contextloom/server-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, jsonSchema, streamText, type ToolSet } from 'ai';
import { OpenAI } from 'openai';
import type { ChatMemory } from '../src/memory.ts';
import { createProxyApi } from '../src/proxy-api.ts';
import { type Provider, startProvider } from './support/provider.ts';

const PROMPT = 'Ann likes tea.';
const memory: ChatMemory = {
  recall: async () => ({ prompt: PROMPT, state: 'complete' }),
  store: () => undefined,
  warmUp: () => undefined,
  close: async () => undefined,
};

let provider: Provider;
let proxy: Listening;
beforeEach(async () => {
  provider = await startProvider();
  const options = { memory, providerUrl: `${provider.url}/v1`, userId: 'ann', stores: true, log: silentLog };
  proxy = await listen(await createProxyApi(options).toApp(), { host: '127.0.0.1', port: 0 });
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

async function askOpenAi(baseURL: string, kind: Kind): Promise<unknown> {
  const openai = new OpenAI({ baseURL, apiKey: 'sk-1', maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: question }];
  const request = {
    model: 'm',
    messages,
    tools: [{ type: 'function' as const, function: { name: 'weather', parameters } }],
  };
  if (kind !== 'stream') return openai.chat.completions.create(request);
  let text = '';
  for await (const piece of await openai.chat.completions.create({ ...request, stream: true })) {
    text += piece.choices[0]?.delta.content ?? '';
  }
  return text;
}

async function askAiSdk(baseURL: string, kind: Kind): Promise<unknown> {
  const model = createOpenAICompatible({ name: 'p', baseURL, apiKey: 'sk-1' })('m');
  const tools: ToolSet = { weather: { inputSchema: jsonSchema(parameters) } };
  const request = { model, prompt: question, tools, maxRetries: 0 };
  if (kind === 'stream') {
    let text = '';
    for await (const piece of streamText(request).textStream) text += piece;
    return text;
  }
  const { text, toolCalls, finishReason } = await generateText(request);
  return { text, finishReason, calls: toolCalls.map(({ toolName, input }) => ({ toolName, input })) };
}

async function askLangChain(baseURL: string, kind: Kind): Promise<unknown> {
  const model = new ChatOpenAI({ model: 'm', apiKey: 'sk-1', maxRetries: 0, configuration: { baseURL } });
  const bound = model.bindTools([{ type: 'function', function: { name: 'weather', parameters } }]);
  if (kind === 'stream') {
    let text = '';
    for await (const piece of await bound.stream(question)) text += String(piece.content);
    return text;
  }
  const { content, tool_calls: calls } = await bound.invoke(question);
  return { content, calls };
}

const clients = { "OpenAI's SDK": askOpenAi, 'the AI SDK': askAiSdk, LangChain: askLangChain };
const system = `${JSON.stringify({ role: 'system', content: PROMPT })},`;

/** What a client gets, or what of its error a program sees. */
const settle = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) => {
    const { name, status, statusCode, message } = Object(error);
    return { name, status: status ?? statusCode, message };
  });

describe.each(Object.entries(clients))('%s', (_name, ask) => {
  it.each(['text', 'tools', 'stream', 429, 500] as const)(
    'sends the same bytes through the proxy but for the system prompt, and gets the same answer: %s',
    async (kind) => {
      answerWith(kind);
      const direct = await settle(ask(`${provider.url}/v1`, kind));
      const through = await settle(ask(`${proxy.url}/v1`, kind));
      expect(through).toEqual(direct);
      const [first, second] = provider.seen;
      expect(provider.seen).toHaveLength(2);
      expect(String(second?.body)).toContain(system);
      expect(String(second?.body).replace(system, '')).toBe(String(first?.body));
      expect([second?.url, second?.headers.authorization]).toEqual(['/v1/chat/completions', 'Bearer sk-1']);
      if (typeof kind === 'number') expect(through).toMatchObject({ status: kind });
    },
  );
});
