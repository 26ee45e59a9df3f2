import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Listening } from '@contextloom/server-kit';
import { type ScriptedOpenAi, type Step, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { generateText, type ModelMessage, stepCountIs, wrapLanguageModel } from 'ai';
import OpenAI from 'openai';
import { aiSdkTools, memoryMiddleware } from '../src/ai-sdk/index.ts';
import { Contextloom } from '../src/index.ts';
import { langChainMessages } from '../src/langchain/index.ts';
import { createOpenAiChat } from '../src/openai/index.ts';
import { type Calls, createCalls, startServer } from './support/servers.ts';

const RECALL = { kind: 'tool_calls', calls: [{ name: 'recall', arguments: { query: 'tea' } }] } as const;
const toAnswer = (text: string): Step => ({ kind: 'answer', text });
const persona = { persona_name: 'marlow' };
const system = { role: 'system', content: 'You are marlow.' };
const toBlock = (question: string) => `Remembered of: ${question}`;

let calls: Calls;
let server: Listening;
let memory: Contextloom;
const models: ScriptedOpenAi[] = [];
beforeEach(async () => {
  calls = { ...createCalls(), recall: 'Remembered of:' };
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

const sentTo = ({ requests }: ScriptedOpenAi) => requests.map(({ body }) => body.messages ?? []);
const stored = () =>
  calls.given.flatMap((given) => (given as { conversation_history?: readonly unknown[] }).conversation_history ?? []);

/** Asks two questions in one conversation, the first with a call of a tool; answers what the model was sent. */
const adapters: Readonly<Record<string, (model: ScriptedOpenAi) => Promise<void>>> = {
  "OpenAI's SDK": async ({ url, apiKey }) => {
    const openai = new OpenAI({ baseURL: url, apiKey, maxRetries: 0 });
    const ask = createOpenAiChat(openai, memory, { ...persona, request: { model: 'm' } });
    const first = [{ role: 'user' as const, content: 'First?' }];
    const answer = await ask(first);
    await ask([...first, { role: 'assistant', content: answer }, { role: 'user', content: 'Second?' }]);
  },
  'the AI SDK': async ({ url, apiKey }) => {
    const provider = createOpenAICompatible({ name: 'scripted', baseURL: url, apiKey });
    const model = wrapLanguageModel({ model: provider('m'), middleware: memoryMiddleware(memory, persona) });
    const tools = aiSdkTools(memory, { only: ['recall'] });
    const messages: ModelMessage[] = [{ role: 'user', content: 'First?' }];
    const ask = async () =>
      (await generateText({ model, messages, tools, maxRetries: 0, stopWhen: stepCountIs(3) })).text;
    messages.push({ role: 'assistant', content: await ask() }, { role: 'user', content: 'Second?' });
    await ask();
  },
};

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : (content as readonly { text: string }[]).map(({ text }) => text).join('\n\n');

describe.each(Object.entries(adapters))('the adapter for %s', (_name, run) => {
  it('puts what is remembered with the newest message of the user, and leaves all before it as it was', async () => {
    const model = await startModel(RECALL, toAnswer('One.'), toAnswer('Two.'));
    await run(model);
    const [first = [], withTool = [], second = []] = sentTo(model);
    expect(first[0]).toEqual(system);
    expect(first).toHaveLength(2);
    expect(textOf(first[1]?.content)).toBe(`First?\n\n${toBlock('First?')}`);
    // While a tool is used, the question keeps its block, so that all of the request before is the beginning of the next.
    expect(withTool.slice(0, 2)).toEqual(first);
    expect(withTool.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(second.slice(0, 3)).toEqual([system, { role: 'user', content: 'First?' }, expect.anything()]);
    expect(textOf(second[3]?.content)).toBe(`Second?\n\n${toBlock('Second?')}`);
  });

  it('never stores it as words of the user', async () => {
    await run(await startModel(RECALL, toAnswer('One.'), toAnswer('Two.')));
    expect(JSON.stringify(stored())).toContain('Second?');
    expect(JSON.stringify(stored())).not.toContain('Remembered');
  });
});

describe('the adapter for the AI SDK', () => {
  const ask = async (messages: ModelMessage[]) => {
    const seen: unknown[] = [];
    const model = await startModel(toAnswer('One.'));
    const provider = createOpenAICompatible({ name: 'scripted', baseURL: model.url, apiKey: model.apiKey });
    const watch = {
      specificationVersion: 'v3' as const,
      transformParams: async ({ params }: { params: Parameters<ReturnType<typeof provider>['doGenerate']>[0] }) => {
        seen.push(...params.prompt.map(({ content }) => content));
        return params;
      },
    };
    const middleware = [memoryMiddleware(memory, persona), watch];
    await generateText({ model: wrapLanguageModel({ model: provider('m'), middleware }), messages, maxRetries: 0 });
    return seen.at(-1);
  };
  const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } };

  it("says to Anthropic's models what can be cached, unless the application does", async () => {
    expect(await ask([{ role: 'user', content: 'First?' }])).toMatchObject([
      { text: 'First?', providerOptions: cached },
      { text: toBlock('First?') },
    ]);
    const own = { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } };
    const given: ModelMessage[] = [
      { role: 'system', content: 'Be brief.', providerOptions: own },
      { role: 'user', content: 'First?' },
    ];
    const [said] = (await ask(given)) as readonly { readonly providerOptions?: unknown }[];
    expect(said?.providerOptions).toBeUndefined();
  });
});

describe('the adapter for LangChain', () => {
  it('puts the persona in front and what is remembered with the newest message of the user', async () => {
    const step = langChainMessages(memory, persona);
    const picture = [
      { type: 'text', text: 'Who is this?' },
      { type: 'image_url', image_url: { url: 'data:,' } },
    ];
    const given = [new HumanMessage('First?'), new AIMessage('One.'), new HumanMessage({ content: picture, id: 'h2' })];
    const tool = new ToolMessage({ content: '7', tool_call_id: 't' });
    const sent = await step.invoke([...given, tool]);
    expect(sent.map(({ type }) => type)).toEqual(['system', 'human', 'ai', 'human', 'tool']);
    expect([sent[1], sent[2], sent[4]]).toEqual([given[0], given[1], tool]);
    expect(sent[3]).toMatchObject({
      id: 'h2',
      content: [...picture, { type: 'text', text: toBlock('Who is this?') }],
    });
    expect(given[2]?.content).toEqual(picture);
  });
});

it('asks for another place where that is said, and takes the prompt as it is', async () => {
  const model = await startModel(toAnswer('One.'));
  const openai = new OpenAI({ baseURL: model.url, apiKey: model.apiKey, maxRetries: 0 });
  const options = { ...persona, prompt: { placement: 'before_persona' as const }, only: [], request: { model: 'm' } };
  await createOpenAiChat(openai, memory, options)([{ role: 'user', content: 'First?' }]);
  expect(calls.given[0]).toMatchObject({ placement: 'before_persona' });
  expect(sentTo(model)).toEqual([[system, { role: 'user', content: 'First?' }]]);
});
