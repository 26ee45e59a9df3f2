import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Listening } from '@contextloom/server-kit';
import { type ScriptedOpenAi, type Step, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generateText, stepCountIs, streamText, wrapLanguageModel } from 'ai';
import OpenAI from 'openai';
import { aiSdkTools, memoryMiddleware, type TurnOptions } from '../src/ai-sdk/index.ts';
import { Contextloom } from '../src/index.ts';
import { langChainTools } from '../src/langchain/index.ts';
import { createOpenAiChat, openAiTools } from '../src/openai/index.ts';
import { type Calls, createCalls, startServer } from './support/servers.ts';

const RECALL = {
  kind: 'tool_calls',
  calls: [{ name: 'recall', arguments: { query: 'tea', user_id: 'bob' } }],
} as const;
const ANSWER = { kind: 'answer', text: 'You like green tea.' } as const;
const QUESTION = 'Which tea do I like?';
const persona = { persona_name: 'marlow' };
const [BUILD, STORE] = ['build_prompt_with_context', 'store_conversation_memory'];

let calls: Calls;
let server: Listening;
let memory: Contextloom;
const models: ScriptedOpenAi[] = [];

beforeEach(async () => {
  calls = createCalls();
  server = await startServer(calls);
  memory = new Contextloom({ url: server.url, user: 'ann', retries: 0 });
});
afterEach(async () => {
  await memory.close();
  await server.close();
  for (const model of models.splice(0)) await model.close();
});

async function startModel(...chat: readonly Step[]): Promise<ScriptedOpenAi> {
  const model = await startScriptedOpenAi({ chat });
  models.push(model);
  return model;
}

const rolesOf = ({ requests }: ScriptedOpenAi, index: number) =>
  requests[index]?.body.messages?.map(({ role }) => role);
const storedTurns = () =>
  calls.given
    .map((given) => (given as { conversation_history?: readonly { content: string }[] }).conversation_history)
    .filter((turns) => turns !== undefined)
    .map((turns) => turns.map(({ content }) => content));

describe('the adapter for the AI SDK', () => {
  async function open(options: Partial<TurnOptions>, ...chat: readonly Step[]) {
    const model = await startModel(...chat);
    const provider = createOpenAICompatible({ name: 'scripted', baseURL: model.url, apiKey: model.apiKey });
    const middleware = memoryMiddleware(memory, { ...persona, ...options });
    const wrapped = wrapLanguageModel({ model: provider('m'), middleware });
    return { model, request: { model: wrapped, prompt: QUESTION, maxRetries: 0, stopWhen: stepCountIs(3) } };
  }

  it.each([
    ['generateText', async (request: Parameters<typeof generateText>[0]) => (await generateText(request)).text],
    ['streamText', async (request: Parameters<typeof streamText>[0]) => streamText(request).text],
  ])('composes the prompt of each step and stores the turn once: %s', async (_name, run) => {
    const { model, request } = await open({}, RECALL, ANSWER);
    expect(await run({ ...request, tools: aiSdkTools(memory, { only: ['recall'] }) })).toBe(ANSWER.text);
    expect(rolesOf(model, 0)).toEqual(['system', 'user']);
    expect(rolesOf(model, 1)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(model.requests[0]?.body.messages?.[0]?.content).toBe('You are marlow.');
    expect(calls.names).toEqual([BUILD, 'recall', BUILD, STORE]);
    expect(calls.given[0]).toMatchObject({ user_id: 'ann', user_query: QUESTION });
    // Whom the model names is not whose memory it uses.
    expect(calls.given[1]).toMatchObject({ user_id: 'ann', query: 'tea' });
    expect(storedTurns()).toEqual([[QUESTION, ANSWER.text]]);
  });

  it('goes on without the memory where that is told of, and else fails', async () => {
    calls.failing = String(BUILD);
    const heard: unknown[] = [];
    const { model, request } = await open({ onError: (error, step) => heard.push([step, error]) }, ANSWER);
    expect((await generateText(request)).text).toBe(ANSWER.text);
    expect(heard).toEqual([['prompt', expect.objectContaining({ code: 'unavailable' })]]);
    expect(rolesOf(model, 0)).toEqual(['user']);
    const strict = await open({}, ANSWER);
    await expect(generateText(strict.request)).rejects.toMatchObject({ code: 'unavailable' });
    expect(strict.model.requests).toEqual([]);
  });

  it('stores in the background where the platform waits for that, or not at all', async () => {
    const storing: Promise<void>[] = [];
    const { request } = await open({ waitUntil: (work) => storing.push(work) }, ANSWER);
    await generateText(request);
    await Promise.all(storing);
    expect([storing.length, calls.names]).toEqual([1, [BUILD, STORE]]);
    await generateText((await open({ store: false }, ANSWER)).request);
    expect(calls.names).toEqual([BUILD, STORE, BUILD]);
  });
});

describe("the adapter for OpenAI's SDK", () => {
  const toOpenAi = ({ url, apiKey }: ScriptedOpenAi) => new OpenAI({ baseURL: url, apiKey, maxRetries: 0 });

  it('wraps a chat loop: prompt, tools, and what was said before', async () => {
    const model = await startModel(RECALL, ANSWER, { kind: 'answer', text: 'Since May.' });
    const ask = createOpenAiChat(toOpenAi(model), memory, { ...persona, request: { model: 'm', temperature: 0 } });
    const first = [{ role: 'user' as const, content: QUESTION }];
    expect(await ask(first)).toBe(ANSWER.text);
    const second = [
      ...first,
      { role: 'assistant' as const, content: ANSWER.text },
      { role: 'user' as const, content: 'Since when?' },
    ];
    expect(await ask(second)).toBe('Since May.');
    expect(calls.names).toEqual([BUILD, 'recall', STORE, BUILD, STORE]);
    expect(calls.given[3]).toMatchObject({
      user_query: 'Since when?',
      conversation: [{ content: QUESTION }, { content: ANSWER.text }],
    });
    expect(storedTurns().map((turns) => turns.length)).toEqual([2, 4]);
    expect(model.requests[0]?.body.tools?.map((tool) => tool.function.name)).toContain('update_memory');
    expect(model.requests[0]?.body.temperature).toBe(0);
  });

  it('offers no tools where none are wanted, and ends with its signal', async () => {
    const model = await startModel({ kind: 'hang' });
    const ask = createOpenAiChat(toOpenAi(model), memory, { ...persona, only: [], request: { model: 'm' } });
    const controller = new AbortController();
    const asked = ask([{ role: 'user', content: QUESTION }], { signal: controller.signal });
    while (model.open() === 0) await new Promise(setImmediate);
    controller.abort();
    await expect(asked).rejects.toThrow();
    expect(model.requests[0]?.body.tools).toBeUndefined();
    expect(calls.names).toEqual([BUILD]);
  });

  it('tells a model of what failed, so that it can go on', async () => {
    const [recall] = openAiTools(memory, { only: ['recall'] });
    calls.failing = 'recall';
    expect(await recall?.function.function({ query: 'tea' })).toEqual({
      error: { code: 'unavailable', message: 'recall is away' },
    });
  });
});

describe('the adapter for LangChain', () => {
  it('has the tools that are wanted, with the schemas of the operations', async () => {
    const [recall, ...others] = langChainTools(memory, { only: ['recall'] });
    expect([recall?.name, others]).toEqual(['recall', []]);
    const call = { type: 'tool_call', id: 'call-1', name: 'recall', args: { query: 'tea' } };
    const answer = await recall?.invoke(call);
    expect(JSON.parse(String(answer?.content))).toMatchObject({ said: 'ann: tea' });
    await expect(recall?.invoke({ ...call, args: { query: 5 } })).rejects.toThrow();
  });
});
