import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildPromptResponseSchema,
  explainPromptResponseSchema,
  type JsonObject,
  listFactsResponseSchema,
} from '@contextloom/contracts';
import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningAggregator, startAggregator } from './running-aggregator.ts';

/** What somebody else claims of the user, what the user says themselves, and what is asked. */
interface Rumour {
  readonly name: string;
  readonly turns: readonly { readonly role: string; readonly content: string }[];
  readonly claimed: string;
  readonly own: string;
  readonly query: string;
  /** Who said the episode. */
  readonly saidBy: readonly string[];
  /** What the user says of it, told alone. */
  readonly kept: string;
}

const RUMOURS: readonly Rumour[] = [
  {
    name: 'an assistant claims it',
    turns: [
      { role: 'assistant', content: 'You told me that you live in Oslo.' },
      { role: 'user', content: 'What is the weather like there today?' },
    ],
    claimed: 'Oslo',
    own: 'I live in Leith with my sister.',
    query: 'Where do I live?',
    saidBy: ['user', 'assistant'],
    kept: 'Leith',
  },
  {
    name: 'a pasted letter says it',
    turns: [
      { role: 'user', content: 'Please shorten this letter: I live in Oslo and fly helicopters.' },
      { role: 'assistant', content: 'Gladly.' },
    ],
    claimed: 'Oslo',
    own: 'I live in Leith with my sister.',
    query: 'Where do I live?',
    saidBy: ['user', 'assistant', 'document'],
    kept: 'Leith',
  },
  {
    name: 'a tool says it, and the assistant after it',
    turns: [
      { role: 'user', content: 'What does the register have on me?' },
      { role: 'tool', content: 'home: Oslo' },
      { role: 'assistant', content: 'It says that your home is in Oslo.' },
    ],
    claimed: 'Oslo',
    own: 'I live in Leith with my sister.',
    query: 'Where do I live?',
    saidBy: ['user', 'assistant'],
    kept: 'Leith',
  },
  {
    name: '助手这么说',
    turns: [
      { role: 'assistant', content: '你说过你住在奥斯陆。' },
      { role: 'user', content: '那边今天天气怎么样？' },
    ],
    claimed: '奥斯陆',
    own: '我住在成都，和妹妹一起。',
    query: '我住在哪里？',
    saidBy: ['user', 'assistant'],
    kept: '成都',
  },
  {
    name: '贴上的文章这么说',
    turns: [
      { role: 'user', content: '请总结以下文章：我住在奥斯陆，是直升机飞行员。' },
      { role: 'assistant', content: '好的。' },
    ],
    claimed: '奥斯陆',
    own: '我住在成都，和妹妹一起。',
    query: '我住在哪里？',
    saidBy: ['user', 'assistant', 'document'],
    kept: '成都',
  },
  {
    name: '工具和助手这么说',
    turns: [
      { role: 'user', content: '登记处有我的什么资料？' },
      { role: 'tool', content: '住址：奥斯陆' },
      { role: 'assistant', content: '上面说你住在奥斯陆。' },
    ],
    claimed: '奥斯陆',
    own: '我住在成都，和妹妹一起。',
    query: '我住在哪里？',
    saidBy: ['user', 'assistant'],
    kept: '成都',
  },
];

let folder: string;
let model: ScriptedOpenAi;
let withModel: RunningAggregator;
let without: RunningAggregator;

/** Draws what every turn says as a fact, of a letter what stands in it, and names all turns as its evidence, as a careless model does. */
function answer(asked: string): string {
  const turns = [...asked.matchAll(/^\[(\d+)\] [^:]+: (.*)$/gmu)];
  const evidence = turns.map(([, label = '']) => label);
  const memories = turns.map(([, , content = '']) => ({
    content: content.split(/[:：]/u).at(-1)?.trim() ?? '',
    importance: 8,
    memory_type: 'knowledge',
    emotional_valence: null,
    tags: [],
    occurred_at: null,
    evidence,
  }));
  return JSON.stringify(memories.length > 0 ? { memories } : { decisions: [] });
}

/** What people said alone. */
const contextSources = [{ name: 'people', use: 'memories', trust: ['user', 'other'] }];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-said-'));
  model = await startScriptedOpenAi({
    chat: ({ body }) => ({ kind: 'answer', text: answer(String(body.messages?.at(-1)?.content)) }),
  });
  const env = { LLM_MODEL: 'scripted', LLM_BASE_URL: model.url, LLM_API_KEY: model.apiKey };
  const shared = { profile: 'all', stores: ['personal-memory'] } as const;
  withModel = await startAggregator({ ...shared, folder, memoryProcessor: { env } });
  without = await startAggregator({ ...shared, folder: await mkdtemp(join(folder, 'rules-')), contextSources });
  // On a busy machine the servers take a while to start: the stories begin when they answer.
  for (const aggregator of [withModel, without]) {
    let problem: string | undefined = 'not asked';
    while (problem !== undefined)
      ({ problem } = await aggregator.call('store_conversation_memory', {
        user_id: 'nobody',
        conversation_history: 'user: Hello.',
      }));
  }
}, 600_000);
afterAll(async () => {
  await withModel?.close();
  await without?.close();
  await model?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

async function tellStory(aggregator: RunningAggregator, user_id: string, { turns, own, query }: Rumour) {
  const call = async (tool: string, args: JsonObject = {}): Promise<unknown> => {
    const { structured, problem } = await aggregator.call(tool, { user_id, ...args });
    if (problem !== undefined) throw new Error(`${tool}: ${problem}`);
    return structured;
  };
  await call('store_conversation_memory', { conversation_history: turns });
  await call('store_conversation_memory', { conversation_history: [{ role: 'user', content: own }] });
  const asked = { persona_name: 'marlow', user_query: query, memory_top_k: 10 };
  const { prompt, manifest } = buildPromptResponseSchema.parse(await call('build_prompt_with_context', asked));
  const explained = await call('explain_prompt', { hash: manifest?.hash ?? '' });
  const { lines, left_out: leftOut } = explainPromptResponseSchema.parse(explained);
  const { facts } = listFactsResponseSchema.parse(await call('list_facts'));
  const profile = JSON.stringify(await call('list_memories', { kind: 'fact' }));
  return { call, prompt, lines, leftOut, facts: facts.map(({ content }) => content), profile };
}

describe('what nobody but an assistant, a document or a tool says of the user', () => {
  it.each(RUMOURS)(
    'is no fact with a model, and a line with it says who said it: $name',
    async (rumour) => {
      const { claimed, kept, saidBy } = rumour;
      const user = `model-${RUMOURS.indexOf(rumour)}`;
      const { call, lines, facts, profile } = await tellStory(withModel, user, rumour);
      expect(facts.filter((fact) => fact.includes(claimed))).toEqual([]);
      expect(facts.some((fact) => fact.includes(kept))).toBe(true);
      expect(profile).not.toContain(claimed);
      const claiming = lines.filter(({ text }) => text.includes(claimed));
      for (const line of claiming) expect([line.trust, line.said_by]).toEqual([saidBy.at(-1), saidBy]);
      const own = lines.filter(({ text }) => text.includes(kept));
      expect(own.map(({ trust }) => trust)).toContain('user');
      const remembered = await call('remember', { text: rumour.turns.at(-1)?.content ?? '', said_by: 'assistant' });
      expect(remembered).toMatchObject({ kind: 'note', message: expect.stringContaining('said by: assistant') });
      expect(JSON.stringify(await call('list_memories', { kind: 'fact' }))).not.toContain(claimed);
    },
    120_000,
  );

  it.each(RUMOURS)(
    'is not in a prompt whose source lets in what people said: $name',
    async (rumour) => {
      const user = `plain-${RUMOURS.indexOf(rumour)}`;
      const { prompt, facts, profile } = await tellStory(without, user, rumour);
      expect([prompt.includes(rumour.claimed), prompt.includes(rumour.kept)]).toEqual([false, true]);
      expect(facts).toEqual([]);
      expect(profile).not.toContain(rumour.claimed);
    },
    120_000,
  );
});

describe('a source over typed or agent memory', () => {
  const trust = ['user', 'other'];
  const typed = {
    server: 'typed-memory',
    tool: 'memory_search',
    arguments: { user_id: '{{user_id}}', query: '{{user_query}}' },
    items: '/memories',
    line: '{{content}}',
  };
  const agent = {
    server: 'agent-memory',
    tool: 'list_entries',
    arguments: { user_id: '{{user_id}}' },
    items: '/items',
    line: '{{content}}',
  };

  it.each([
    { name: 'typed', source: typed, tool: 'memory_add', of: (said_by: string) => ({ said_by }) },
    { name: 'agent', source: agent, tool: 'add_entry', of: (by: string) => ({ metadata: { trust: by } }) },
  ])(
    'that lets in what people said tells no word of an assistant, and names what it left out: $name memory',
    async ({ name, source, tool, of }) => {
      const own = await startAggregator({
        folder: await mkdtemp(join(folder, `${name}-`)),
        profile: 'all',
        stores: ['typed-memory', 'agent-memory'],
        contextSources: [{ name: 'people', ...source, trust }],
      });
      const user_id = `of-${name}`;
      const call = async (what: string, args: JsonObject) => {
        for (let tries = 0; ; tries += 1) {
          const { structured, problem } = await own.call(what, { user_id, ...args });
          if (problem === undefined) return structured;
          if (tries > 100) throw new Error(`${what}: ${problem}`);
        }
      };
      await call(`${source.server}__${tool}`, { content: 'I live in Leith. 我住在利斯。', ...of('user') });
      await call(`${source.server}__${tool}`, { content: 'You live in Oslo. 你住在奥斯陆。', ...of('assistant') });
      const asked = { persona_name: 'marlow', user_query: 'Where do I live?', memory_top_k: 10 };
      const { manifest } = buildPromptResponseSchema.parse(await call('build_prompt_with_context', asked));
      const explained = explainPromptResponseSchema.parse(await call('explain_prompt', { hash: manifest?.hash ?? '' }));
      expect(explained.lines.map(({ text, trust: by }) => [text, by])).toEqual([
        [expect.stringContaining('Leith'), 'user'],
      ]);
      expect(explained.left_out).toMatchObject([{ reason: 'not_trusted', trust: 'assistant' }]);
      await own.close();
    },
    120_000,
  );
});
