import { type ScriptedOpenAi, type ScriptedOpenAiOptions, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';

const endpoints: ScriptedOpenAi[] = [];
afterEach(async () => {
  await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.close()));
});

async function open(options: ScriptedOpenAiOptions = {}) {
  const endpoint = await startScriptedOpenAi(options);
  endpoints.push(endpoint);
  return { endpoint, client: new OpenAI({ baseURL: endpoint.url, apiKey: endpoint.apiKey, maxRetries: 0 }) };
}

const hello = { model: 'm', messages: [{ role: 'user' as const, content: 'hello' }] };

async function post(endpoint: ScriptedOpenAi, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${endpoint.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${endpoint.apiKey}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, error: ((await response.json()) as { error?: { param: string | null } }).error };
}

describe('the scripted endpoint', () => {
  it('speaks with the real client: plain, streaming, with images', async () => {
    const { client, endpoint } = await open({ chat: [{ kind: 'answer', text: '你好，世界！\nHow are you today?' }] });
    const plain = await client.chat.completions.create(hello);
    expect(plain.choices[0]?.message.content).toBe('你好，世界！\nHow are you today?');
    expect(plain.usage?.total_tokens).toBeGreaterThan(5);
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    const stream = await client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'what is this?' }, image] }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const [texts, finishes, usages]: [string[], string[], number[]] = [[], [], []];
    for await (const { choices, usage } of stream) {
      texts.push(choices[0]?.delta.content ?? '');
      if (choices[0]?.finish_reason) finishes.push(choices[0].finish_reason);
      if (usage) usages.push(usage.total_tokens);
    }
    expect([texts.join(''), finishes, usages.length]).toEqual(['你好，世界！\nHow are you today?', ['stop'], 1]);
    expect(endpoint.requests[1]?.body.messages?.[0]?.content).toContainEqual(image);
  });

  it.each([false, true])('calls tools, and wants each call answered; streaming: %s', async (stream) => {
    const calls = [
      { name: 'look_up', arguments: { city: 'Leith' } },
      { name: 'look_up', arguments: { city: 'Graz' } },
    ];
    const { client, endpoint } = await open({
      chat: [
        { kind: 'tool_calls', calls },
        { kind: 'answer', text: 'rain' },
      ],
    });
    const tool = {
      type: 'function' as const,
      function: {
        name: 'look_up',
        description: 'weather',
        parameters: { type: 'object' as const },
        parse: JSON.parse,
        function: ({ city }: { city: string }) => `rain in ${city}`,
      },
    };
    const { chat } = client;
    const request = { ...hello, tools: [tool] };
    const runner = stream ? chat.completions.runTools({ ...request, stream }) : chat.completions.runTools(request);
    expect(await runner.finalContent()).toBe('rain');
    const messages = endpoint.requests[1]?.body.messages ?? [];
    expect(messages.slice(2).map(({ content }) => content)).toEqual(['rain in Leith', 'rain in Graz']);
    const answered = await post(endpoint, '/chat/completions', { model: 'm', messages: messages.slice(0, 3) });
    expect(answered).toMatchObject({ status: 400, error: { param: 'messages' } });
  });

  it('cuts an answer off at the limit of tokens, as a model is', async () => {
    const { client } = await open({ chat: [{ kind: 'answer', text: 'one two three four five six' }] });
    const { choices, usage } = await client.chat.completions.create({ ...hello, max_tokens: 3 });
    expect(choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'one two three' } });
    expect(usage?.completion_tokens).toBe(3);
  });

  it('answers once the gate of its step opens', async () => {
    let openGate: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    const { client, endpoint } = await open({
      chat: [
        { kind: 'answer', text: 'late', until },
        { kind: 'answer', text: 'at once' },
      ],
    });
    const texts: unknown[] = [];
    const ask = async (): Promise<void> => {
      const { choices } = await client.chat.completions.create(hello);
      texts.push(choices[0]?.message.content);
    };
    const late = ask();
    while (endpoint.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await ask();
    openGate();
    await late;
    expect(texts).toEqual(['at once', 'late']);
  });

  it('gives embeddings as numbers and in base64', async () => {
    const { client } = await open({ dimensions: 8 });
    const numbers = await client.embeddings.create({ model: 'e', input: ['cat', 'dog'], encoding_format: 'float' });
    const packed = await client.embeddings.create({ model: 'e', input: 'dog' });
    expect(numbers.data.map(({ embedding }) => embedding.length)).toEqual([8, 8]);
    expect(packed.data[0]?.embedding.map((x) => x.toFixed(5))).toEqual(
      numbers.data[1]?.embedding.map((x) => x.toFixed(5)),
    );
  });

  it.each([
    ['no messages', { model: 'm' }, 'messages'],
    ['an empty list of messages', { model: 'm', messages: [] }, 'messages'],
    ['an unknown role', { model: 'm', messages: [{ role: 'robot', content: 'x' }] }, 'messages.0.role'],
    ['an unknown argument', { ...hello, max_token: 5 }, 'max_token'],
    ['a temperature of 3', { ...hello, temperature: 3 }, 'temperature'],
    ['a limit of 0 tokens', { ...hello, max_tokens: 0 }, 'max_tokens'],
    ['JSON mode without the word', { ...hello, response_format: { type: 'json_object' } }, 'messages'],
    [
      'a strict schema with an optional property',
      {
        ...hello,
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: 'x',
            strict: true,
            schema: { type: 'object', properties: { a: {} }, required: [], additionalProperties: false },
          },
        },
      },
      'response_format',
    ],
    ['stream options without a stream', { ...hello, stream_options: { include_usage: true } }, 'stream_options'],
  ])('refuses %s with 400 and the name of the parameter', async (_name, body, param) => {
    const { endpoint } = await open({ chat: [{ kind: 'answer', text: 'never' }] });
    expect(await post(endpoint, '/chat/completions', body)).toMatchObject({ status: 400, error: { param } });
    expect(endpoint.requests).toEqual([]);
  });

  it('refuses what is no JSON, a wrong key, an unknown address and an empty text', async () => {
    const { endpoint } = await open();
    expect((await post(endpoint, '/chat/completions', '{"model":')).status).toBe(400);
    expect((await post(endpoint, '/chat/completions', hello, { authorization: 'Bearer x' })).status).toBe(401);
    expect((await post(endpoint, '/chat/complete', hello)).status).toBe(404);
    expect((await post(endpoint, '/embeddings', { model: 'e', input: [''] })).status).toBe(400);
  });

  it('ranks documents as Cohere and Jina do, and refuses what they refuse', async () => {
    const { endpoint } = await open();
    const documents = ['a train to Graz', 'green tea', 'tea'];
    const ask = async (body: object) => {
      const response = await fetch(`${endpoint.url}/rerank`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${endpoint.apiKey}` },
        body: JSON.stringify({ model: 'm', query: 'green tea', documents, ...body }),
      });
      return { status: response.status, json: (await response.json()) as { results?: { index: number }[] } };
    };
    expect((await ask({})).json.results?.map(({ index }) => index)).toEqual([1, 2, 0]);
    expect((await ask({ top_n: 2 })).json.results).toHaveLength(2);
    for (const wrong of [
      { model: '' },
      { query: '' },
      { documents: [] },
      { documents: ['a', ''] },
      { top_n: 0 },
      { mood: 1 },
    ]) {
      expect(await ask(wrong)).toMatchObject({ status: 400 });
    }
    expect(endpoint.refused).toHaveLength(6);
  });
});
