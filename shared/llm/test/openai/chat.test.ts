import { getEventListeners } from 'node:events';
import process from 'node:process';
import { type ScriptedOpenAi, type ScriptedOpenAiOptions, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { type ChatModelSettings, createChatModel } from '../../src/index.ts';

/** How long to wait for an endpoint that says nothing: long enough for one that is merely slow. */
const SILENCE_MS = 1_000;

const endpoints: ScriptedOpenAi[] = [];
afterEach(async () => {
  await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.close()));
});

/** Nobody waits for a call that is tried again. */
const sleep = async (): Promise<void> => undefined;

async function open(options: ScriptedOpenAiOptions, settings: Partial<ChatModelSettings> = {}) {
  const endpoint = await startScriptedOpenAi(options);
  endpoints.push(endpoint);
  const { url: baseUrl, apiKey } = endpoint;
  const model = await createChatModel({ model: 'scripted', baseUrl, apiKey, sleep, ...settings });
  return { endpoint, model };
}

const shape = { name: 'cities', schema: z.object({ city: z.string(), people: z.number().optional() }) };
const request = {
  messages: [
    { role: 'system', content: 'Name the city.' },
    { role: 'user', content: '我住在成都。' },
  ],
  maxTokens: 200,
  temperature: 0,
} as const;
const answered = (text: string) => [{ kind: 'answer' as const, text }];
const formats = ({ requests }: ScriptedOpenAi) => requests.map(({ body }) => body.response_format?.type ?? 'none');

describe('a chat model', () => {
  it('answers in text, with the tokens that it was billed for', async () => {
    const { model } = await open({ chat: answered('成都') });
    const { text, finish, usage } = await model.complete(request);
    expect([text, finish]).toEqual(['成都', 'stop']);
    expect(usage.input).toBeGreaterThan(10);
    expect(usage.output).toBeGreaterThan(0);
  });

  it('asks for JSON by its schema, and reads the optional property that came as null', async () => {
    const { model, endpoint } = await open({ chat: answered('{"city":"成都","people":null}') });
    expect(await model.completeJson(request, shape)).toMatchObject({ kind: 'ok', value: { city: '成都' } });
    expect(endpoint.requests[0]?.body.response_format).toMatchObject({ json_schema: { name: 'cities', strict: true } });
  });

  it.each([
    ['knows no schema (DeepSeek)', { jsonSchema: true }, ['json_object', 'json_object']],
    ['knows no JSON mode either', { jsonSchema: true, jsonObject: true }, ['none', 'none']],
    [
      'takes no max_tokens and no temperature (reasoning models)',
      { maxTokens: true, temperature: true },
      ['json_schema', 'json_schema'],
    ],
    ['thinks unless told not to (Qwen)', { plainThinking: true }, ['json_schema', 'json_schema']],
    [
      'takes nothing of all this',
      { jsonSchema: true, jsonObject: true, maxTokens: true, temperature: true, plainThinking: true },
      ['none', 'none'],
    ],
  ])('that %s is asked as it wants, once it has said so', async (_name, lacks, asked) => {
    const { model, endpoint } = await open({ lacks, chat: answered('```json\n{"city":"Lyon"}\n```') });
    for (let calls = 0; calls < 2; calls += 1) {
      expect(await model.completeJson(request, shape)).toMatchObject({ kind: 'ok', value: { city: 'Lyon' } });
    }
    expect(formats(endpoint)).toEqual(asked);
    // What was refused once is not tried again.
    expect(endpoint.refused).toHaveLength(Object.keys(lacks).length);
  });

  it('tells an endpoint without schemas the schema in words', async () => {
    const { model, endpoint } = await open({ lacks: { jsonSchema: true }, chat: answered('{"city":"Lyon"}') });
    await model.completeJson(request, shape);
    expect(JSON.stringify(endpoint.requests[0]?.body.messages?.[0])).toContain('JSON schema');
  });

  it.each([
    ['truncated', { kind: 'answer', text: `{"city":"${'very '.repeat(400)}"}` }],
    ['malformed', { kind: 'answer', text: 'The city is {"city": "Ly' }],
    ['invalid', { kind: 'answer', text: '{"city":5}' }],
    ['empty', { kind: 'answer', text: '  ' }],
    ['refused', { kind: 'refusal', text: 'I cannot help with that.' }],
    ['refused', { kind: 'answer', text: '', finish: 'content_filter' }],
  ] as const)('says that an answer is %s, and throws nothing', async (kind, step) => {
    const { model } = await open({ chat: [step] });
    const answer = await model.completeJson(request, shape);
    expect(answer.kind).toBe(kind);
    expect(answer.usage.input).toBeGreaterThan(0);
  });

  const completion = (message: unknown, more: object = {}) =>
    ({ kind: 'rubbish', body: JSON.stringify({ choices: [{ finish_reason: 'stop', message }], ...more }) }) as const;
  const nested = `{"choices":[{"message":{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}}]}`;

  it.each([
    ['empty', 'a list', completion({ content: [1, [2]] })],
    ['empty', 'a number', completion({ content: 5 })],
    ['empty', 'no message', completion(null)],
    ['empty', '100,000 nested lists', { kind: 'rubbish', body: nested } as const],
    ['empty', 'no choice', { kind: 'rubbish', body: '{"choices":[],"usage":{"prompt_tokens":"many"}}' } as const],
    ['malformed', 'text of 100,000 nested lists', completion({ content: '['.repeat(100_000) + ']'.repeat(100_000) })],
    ['refused', 'refusal: true', completion({ content: null, refusal: true })],
    ['ok', 'an object', completion({ content: { city: 'Lyon' } })],
    [
      'ok',
      'a tool call',
      completion({ content: null, tool_calls: [{ function: { name: 'f', arguments: '{"city":"Lyon"}' } }] }),
    ],
    ['ok', 'a function call of an object', completion({ content: '', function_call: { arguments: { city: 'Lyon' } } })],
    ['ok', 'reasoning alone', completion({ content: '', reasoning_content: 'So: {"city":"Lyon"}' })],
    ['ok', 'parts of plain text', completion({ content: ['{"city":', { text: '"Lyon"}' }] })],
    [
      'refused',
      'the finish of a safety filter',
      { kind: 'rubbish', body: '{"choices":[{"finish_reason":"SAFETY"}]}' } as const,
    ],
    [
      'refused',
      'the error of a filter, with success',
      { kind: 'rubbish', body: '{"error":{"code":403,"message":"flagged by moderation"}}' } as const,
    ],
    ['ok', 'whole JSON that ends at the limit', { kind: 'answer', text: '{"city":"Lyon"}', finish: 'length' } as const],
    ['ok', 'text in parts', completion({ content: [{ type: 'thinking' }, { type: 'text', text: '{"city":"Lyon"}' }] })],
  ] as const)('takes for %s an answer that holds %s', async (kind, _name, step) => {
    const { model, endpoint } = await open({ chat: [step] });
    const { kind: became, usage } = await model.completeJson({ messages: request.messages }, shape);
    expect([became, endpoint.requests.length]).toEqual([kind, 1]);
    expect(usage).toEqual({ input: expect.any(Number), output: expect.any(Number) });
  });

  it.each([
    {
      status: 400,
      code: 'content_filter',
      message: "The response was filtered due to Azure's content management policy.",
    },
    { status: 400, code: 'data_inspection_failed', message: 'Input data may contain inappropriate content.' },
    { status: 400, message: 'Content Exists Risk' },
    { status: 400, code: '1301', message: '系统检测到输入或生成内容可能包含不安全或敏感内容' },
    { status: 403, message: 'Your input was flagged' },
  ])('takes for refused what a filter does not let pass: %j', async (refusal) => {
    const { model, endpoint } = await open({ chat: [{ kind: 'error', ...refusal }] });
    expect(await model.completeJson(request, shape)).toMatchObject({ kind: 'refused', raw: '' });
    expect(endpoint.requests).toHaveLength(1);
  });

  it('learns of 422 as of 400, also where the error is told in a field of its own', async () => {
    const said = { detail: [{ loc: ['body', 'response_format'], msg: 'Extra inputs are not permitted' }] };
    for (const step of [
      { kind: 'error', status: 422, param: 'response_format', message: 'not permitted' },
      { kind: 'body', status: 422, body: JSON.stringify(said) },
    ] as const) {
      const { model, endpoint } = await open({
        chat: ({ body }) =>
          body.response_format?.type === 'json_schema' ? step : { kind: 'answer', text: '{"city":"Lyon"}' },
      });
      expect(await model.completeJson(request, shape)).toMatchObject({ kind: 'ok', value: { city: 'Lyon' } });
      expect(formats(endpoint)).toEqual(['json_schema', 'json_object']);
    }
  });

  it.each([
    [
      'max_tokens is too large: 4000. This model supports at most 2048 completion tokens, whereas you provided 4000.',
      2048,
    ],
    [
      "This model's maximum context length is 3,000 tokens. However, you requested 4,500 tokens (500 in the messages, 4,000 in the completion). Please reduce max_tokens.",
      2484,
    ],
    ['max_tokens: must be less than the model limit', 2000],
    ['Range of max_tokens should be [1, 1500]', 1500],
  ])('lowers its limit of tokens once: %s', async (message, taken) => {
    const { model, endpoint } = await open({
      chat: ({ body }) =>
        (body.max_tokens ?? 0) > taken
          ? { kind: 'error', status: 400, message }
          : { kind: 'answer', text: '{"city":"Lyon"}' },
    });
    for (let calls = 0; calls < 2; calls += 1) {
      expect(await model.completeJson({ ...request, maxTokens: 4_000 }, shape)).toMatchObject({ kind: 'ok' });
    }
    expect(endpoint.requests.map(({ body }) => body.max_tokens)).toEqual([4_000, taken, taken]);
  });

  it('asks again for an answer whose body breaks off', async () => {
    const { model, endpoint } = await open({ chat: [{ kind: 'half' }, { kind: 'answer', text: 'ok' }] });
    expect((await model.complete(request)).text).toBe('ok');
    expect(endpoint.requests).toHaveLength(2);
  });

  it('says where a redirect leads, and follows one within its own server', async () => {
    const other = { kind: 'redirect', status: 307, location: 'https://other.example/v1/chat?key=secret' } as const;
    const away = await open({ chat: [other] });
    await expect(away.model.complete(request)).rejects.toThrow(
      /redirects to https:\/\/other\.example\/v1\/chat: set LLM_BASE_URL/,
    );
    const own = { kind: 'redirect', status: 308, location: '/v1/chat/completions?again' } as const;
    const near = await open({ chat: [own, { kind: 'answer', text: 'ok' }] });
    expect((await near.model.complete(request)).text).toBe('ok');
  });

  it('says that a connection was broken off', async () => {
    const { model } = await open({ chat: [{ kind: 'cut' }] }, { attempts: 1 });
    await expect(model.complete(request)).rejects.toThrow(/broke the connection off before its answer was whole/);
  });

  it('says that a request is too long, which says nothing of others', async () => {
    const step = { kind: 'error', status: 400, code: 'context_length_exceeded', message: 'too long' } as const;
    const { model } = await open({ chat: [step] });
    await expect(model.complete(request)).rejects.toMatchObject({ code: 'too_large' });
  });

  it('takes an answer of 58,000 words that ends as it should', async () => {
    const { model } = await open({ chat: answered(JSON.stringify({ city: 'word '.repeat(58_000) })) });
    const answer = await model.completeJson({ messages: request.messages }, shape);
    expect(answer).toMatchObject({ kind: 'ok', value: { city: expect.stringMatching(/^word word/) } });
  });

  it('tries again after failures that pass: a busy endpoint, a broken connection, no JSON, silence', async () => {
    const { model, endpoint } = await open(
      {
        chat: [
          { kind: 'error', status: 429, retryAfter: '0' },
          { kind: 'error', status: 500 },
          { kind: 'cut' },
          { kind: 'rubbish', body: '<html>busy</html>' },
          { kind: 'hang' },
          { kind: 'answer', text: 'ok' },
        ],
      },
      { timeoutMs: SILENCE_MS, attempts: 6 },
    );
    expect((await model.complete(request)).text).toBe('ok');
    expect(endpoint.requests).toHaveLength(6);
  });

  it.each([
    [{ kind: 'error', status: 401 }, 'unauthorized', 'check LLM_API_KEY', 1],
    [{ kind: 'error', status: 404 }, 'unavailable', 'check LLM_MODEL and LLM_BASE_URL', 1],
    [{ kind: 'error', status: 400, message: 'Model Not Exist' }, 'unavailable', 'check LLM_MODEL and LLM_BASE_URL', 1],
    [{ kind: 'error', status: 429, code: 'insufficient_quota' }, 'rate_limited', 'credit', 1],
    [{ kind: 'error', status: 503 }, 'unavailable', 'failed with HTTP 503', 2],
    [{ kind: 'hang' }, 'timeout', 'did not answer in time', 2],
    [{ kind: 'rubbish', body: 'no JSON' }, 'unavailable', 'does not answer in JSON', 2],
    [{ kind: 'rubbish', body: '{"hello":"world"}' }, 'unavailable', 'does not answer chats: check LLM_BASE_URL', 1],
    [{ kind: 'rubbish', body: 'null' }, 'unavailable', 'does not answer chats', 1],
  ] as const)('after %j rejects with %s', async (step, code, words, tries) => {
    const silence = step.kind === 'hang' ? { timeoutMs: 300 } : {};
    const { model, endpoint } = await open({ chat: [step] }, { attempts: 2, ...silence });
    const calling = model.complete(request);
    await expect(calling).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
    await expect(calling).rejects.not.toThrow(/scripted error|Model Not Exist/);
    expect(endpoint.requests).toHaveLength(tries);
  });

  it('says that nothing answers at its address, without the key that stands in it', async () => {
    const { endpoint } = await open({});
    await endpoint.close();
    endpoints.splice(0);
    const baseUrl = endpoint.url.replace('http://', 'http://user:secret@');
    const model = await createChatModel({ model: 'm', baseUrl, attempts: 1 });
    await expect(model.complete(request)).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:\d+\/v1 cannot be reached: check LLM_BASE_URL$/,
    );
    await expect(createChatModel({ model: 'm', baseUrl: 'nowhere' })).rejects.toMatchObject({ field: 'LLM_BASE_URL' });
  });

  it('leaves nothing on the signal of its caller, however many calls there are at once', async () => {
    const { model } = await open({ chat: answered('成都') }, { concurrency: 16 });
    const { signal } = new AbortController();
    const warnings: string[] = [];
    const note = ({ name }: Error): unknown => warnings.push(name);
    process.on('warning', note);
    await Promise.all(Array.from({ length: 40 }, () => model.complete({ ...request, signal })));
    await new Promise(setImmediate);
    process.off('warning', note);
    expect([getEventListeners(signal, 'abort'), warnings]).toEqual([[], []]);
  });

  it('ends a call when it is told to', async () => {
    const { model, endpoint } = await open({ chat: [{ kind: 'hang' }] });
    const ending = new AbortController();
    const calling = model.complete({ ...request, signal: ending.signal });
    while (endpoint.requests.length === 0) await new Promise(setImmediate);
    ending.abort();
    await expect(calling).rejects.toThrow('was ended');
  });

  it('makes as many calls at once as it may, and no more', async () => {
    let answerAll: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      answerAll = resolve;
    });
    const { model, endpoint } = await open({ chat: [{ kind: 'answer', text: 'ok', until }] }, { concurrency: 3 });
    const calls = Array.from({ length: 12 }, () => model.complete(request));
    while (endpoint.open() < 3) await new Promise(setImmediate);
    answerAll();
    await Promise.all(calls);
    expect(endpoint.peak()).toBe(3);
  });
});
