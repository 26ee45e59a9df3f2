import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildPromptResponseSchema,
  getUserMemoriesResponseSchema,
  type JsonObject,
  listFactsResponseSchema,
} from '@contextloom/contracts';
import { findBytes } from '@contextloom/testing/find-bytes';
import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningAggregator, startAggregator } from './running-aggregator.ts';

/** What people tell, in both languages: what is said, a word of it, another that takes its place, and what is asked. */
interface Matter {
  readonly said: string;
  readonly word: string;
  readonly other: string;
  readonly query: string;
  readonly unrelated: string;
  readonly mark: string;
  /** Names the user of the story: no word of it. */
  readonly user: string;
}

const ENGLISH: readonly (readonly [said: string, word: string, other: string, query: string])[] = [
  ['I live in Leith with my sister.', 'Leith', 'Hull', 'Where do I live?'],
  ['I work as a glazier at the harbour.', 'glazier', 'plumber', 'What is my job?'],
  ['I am allergic to walnuts since school.', 'walnuts', 'almonds', 'What am I allergic to?'],
  ['I play the bassoon on Fridays.', 'bassoon', 'trumpet', 'Which instrument do I play?'],
  ['My dog is called Biscuit and is four.', 'Biscuit', 'Pepper', 'What is my dog called?'],
  ['I drink oolong in the morning.', 'oolong', 'espresso', 'What do I drink in the morning?'],
];
const CHINESE: typeof ENGLISH = [
  ['我住在成都，和妹妹一起。', '成都', '重庆', '我住在哪里？'],
  ['我在港口当电焊工。', '电焊工', '会计', '我在港口当什么？'],
  ['我从小对核桃过敏。', '核桃', '杏仁', '我对什么过敏？'],
  ['我周五晚上弹古筝。', '古筝', '琵琶', '我弹什么乐器？'],
  ['我的狗叫饼干，四岁了。', '饼干', '胡椒', '我的狗叫什么？'],
  ['我早上喝乌龙茶。', '乌龙', '咖啡', '我早上喝什么？'],
];
const toMatters = (all: typeof ENGLISH, unrelated: string, mark: string): readonly Matter[] =>
  all.map(([said, word, other, query], at) => ({
    said,
    word,
    other,
    query,
    unrelated,
    mark,
    user: `${mark.length}-${at}`,
  }));
const matters = [
  ...toMatters(ENGLISH, 'I collect old lighthouse postcards.', 'lighthouse'),
  ...toMatters(CHINESE, '我收集旧的灯塔明信片。', '灯塔'),
];

let folder: string;
let model: ScriptedOpenAi;
let withModel: RunningAggregator;
let without: RunningAggregator;

/** Draws what every turn says as a fact, whoever says it, and takes none of them for another. */
function answer(asked: string): string {
  const memories = [...asked.matchAll(/^\[(\d+)\] [^:]+: (.*)$/gmu)].map(([, label = '', content]) => ({
    content,
    importance: 8,
    memory_type: 'knowledge',
    emotional_valence: null,
    tags: [],
    occurred_at: null,
    evidence: [label],
  }));
  return JSON.stringify(memories.length > 0 ? { memories } : { decisions: [] });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-consequences-'));
  model = await startScriptedOpenAi({
    chat: ({ body }) => ({ kind: 'answer', text: answer(String(body.messages?.at(-1)?.content)) }),
  });
  const env = { LLM_MODEL: 'scripted', LLM_BASE_URL: model.url, LLM_API_KEY: model.apiKey };
  const stores = ['personal-memory', 'typed-memory'];
  withModel = await startAggregator({ folder, profile: 'all', memoryProcessor: { env }, stores });
  without = await startAggregator({ folder: await mkdtemp(join(folder, 'rules-')), profile: 'all', stores });
  // On a busy machine the servers take a while to start: the stories begin when they answer.
  for (const aggregator of [withModel, without]) {
    let problem: string | undefined = 'not asked';
    while (problem !== undefined) ({ problem } = await aggregator.call('recall', { user_id: 'nobody', query: 'tea' }));
  }
}, 600_000);
afterAll(async () => {
  await withModel?.close();
  await without?.close();
  await model?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** One user's side of the product. */
function open(aggregator: RunningAggregator, user_id: string) {
  const call = async (tool: string, args: JsonObject = {}): Promise<Record<string, unknown>> => {
    const { structured, problem } = await aggregator.call(tool, { user_id, ...args });
    if (problem !== undefined) throw new Error(`${tool}: ${problem}`);
    return structured as Record<string, unknown>;
  };
  return {
    call,
    tell: (said: string, opening = 'Hello.') =>
      call('store_conversation_memory', {
        conversation_history: [
          { role: 'assistant', content: opening },
          { role: 'user', content: said },
        ],
      }),
    /** The ids of what a word stands in; of episodes, or of what was drawn from them. */
    find: async (word: string, isEpisode: boolean): Promise<readonly string[]> => {
      const { memories } = getUserMemoriesResponseSchema.parse(await call('get_user_memories', { top_k: 50 }));
      return memories.flatMap(({ id, content, memory_type: type }) =>
        id !== undefined && content.includes(word) && (type === 'episode') === isEpisode ? [`note:${id}`] : [],
      );
    },
    facts: async () =>
      listFactsResponseSchema
        .parse(await call('list_facts'))
        .facts.map(({ content, mentions }) => ({ content, mentions })),
    prompt: async (user_query: string): Promise<string> => {
      const args = { persona_name: 'marlow', user_query, memory_top_k: 10 };
      return buildPromptResponseSchema.parse(await call('build_prompt_with_context', args)).prompt;
    },
    /** All that is told of the user anywhere, without the words of the persona. */
    all: async (): Promise<string> =>
      JSON.stringify([
        await call('list_memories', { limit: 100 }),
        await call('get_user_memories', { top_k: 100 }),
        await call('list_decisions'),
        await call('list_facts', { include_superseded: true }),
        await call('export_user'),
      ]),
  };
}
type User = ReturnType<typeof open>;

/** What stories came to, in both languages: how many went as they should, and how many consequences were followed. */
const outcomes = new Map<string, { english: number; chinese: number; followed: number }>();

function record(story: string, words: string, followed = 1): void {
  const known = outcomes.get(story) ?? { english: 0, chinese: 0, followed: 0 };
  const isChinese = /\p{Script=Han}/u.test(words);
  outcomes.set(story, {
    english: known.english + Number(!isChinese),
    chinese: known.chinese + Number(isChinese),
    followed: known.followed + followed,
  });
}

/** Nothing of a word in any store, list, export or prompt, in any encoding in which it may stand there. */
async function expectToldNowhere(user: User, word: string, query: string): Promise<void> {
  const told = await mkdtemp(join(folder, 'told-'));
  await writeFile(join(told, 'stores'), await user.all());
  await writeFile(join(told, 'prompt'), await user.prompt(query));
  expect(findBytes(told, [word])).toEqual([]);
}

async function expectUntouched(user: User, { mark, unrelated }: Matter): Promise<void> {
  expect(await user.all()).toContain(mark);
  expect(await user.prompt(unrelated)).toContain(mark);
}

/** Which matters are about somebody who is named: an entity is drawn from these as well as a fact. */
const NAMED = new Set(['Biscuit', '饼干']);

/** What follows from a change, in the words of the tools. */
const toFollowed = (what: string, { word }: Matter) =>
  ['note', ...(NAMED.has(word) ? ['entity'] : [])].map((kind) => expect.stringMatching(`^${what} ${kind}:.*${word}`));

const countFollowed = ({ word }: Matter): string => (NAMED.has(word) ? '2 memories' : '1 memory');

describe('with a model', () => {
  it.each(matters)(
    'an erasure takes along what was drawn from it: $word',
    async (matter) => {
      const user = open(withModel, `erased-${matter.user}`);
      await user.tell(matter.said);
      await user.tell(matter.unrelated, 'Good evening.');
      expect((await user.facts()).some(({ content }) => content.includes(matter.word))).toBe(true);
      const [id = ''] = await user.find(matter.word, true);
      const dry = await user.call('forget', { id, dry_run: true });
      expect(dry['consequences']).toEqual(toFollowed('removed', matter));
      expect(await user.prompt(matter.query)).toContain(matter.word);
      const done = await user.call('forget', { id });
      expect(done['message']).toBe(`Forgotten; ${countFollowed(matter)} that rested on it alone went with it.`);
      await expectToldNowhere(user, matter.word, matter.query);
      await expectUntouched(user, matter);
      record('erased', matter.said);
    },
    120_000,
  );

  it.each(matters)(
    'a change takes what was drawn from it out of prompts, and back again: $word',
    async (matter) => {
      const user = open(withModel, `changed-${matter.user}`);
      await user.tell(matter.said);
      await user.tell(matter.unrelated, 'Good evening.');
      const [id = ''] = await user.find(matter.word, true);
      const { text } = await user.call('get_memory', { id });
      const change = { id, text: String(text).replace(matter.word, matter.other) };
      const dry = await user.call('update_memory', { ...change, dry_run: true });
      expect(dry['consequences']).toEqual(toFollowed('marked', matter));
      expect(await user.prompt(matter.query)).toContain(matter.word);
      const corrected = await user.call('update_memory', change);
      expect(corrected['consequences']).toEqual(dry['consequences']);
      expect(corrected['message']).toContain(
        `${countFollowed(matter)} drawn from what it said before left out of prompts`,
      );
      const prompt = await user.prompt(matter.query);
      expect([prompt.includes(matter.other), prompt.includes(matter.word)]).toEqual([true, false]);
      const back = await user.call('update_memory', { id, text: String(text) });
      expect(back['message']).toContain(`${countFollowed(matter)} drawn from what it says back in prompts`);
      expect((await user.facts()).some(({ content }) => content.includes(matter.word))).toBe(true);
      await expectUntouched(user, matter);
      record('changed', matter.said, 2);
    },
    120_000,
  );

  it.each(matters)(
    'what two conversations say stays with one less: $word',
    async (matter) => {
      const user = open(withModel, `twice-${matter.user}`);
      await user.tell(matter.said);
      await user.tell(matter.said, 'Good morning.');
      await user.tell(matter.unrelated, 'Good evening.');
      expect(await user.facts()).toContainEqual({ content: matter.said, mentions: 2 });
      const [first = '', second = ''] = await user.find(matter.word, true);
      const done = await user.call('forget', { id: first });
      expect(done['consequences']).toEqual(toFollowed('kept', matter));
      expect(await user.facts()).toContainEqual({ content: matter.said, mentions: 1 });
      expect(await user.prompt(matter.query)).toContain(matter.word);
      await user.call('forget', { id: second });
      await expectToldNowhere(user, matter.word, matter.query);
      await expectUntouched(user, matter);
      record('twice', matter.said, 2);
    },
    120_000,
  );
});

const cities: readonly (readonly [said: string, value: string, changed: string, other: string])[] = [
  ['I live in Leith.', 'Leith', 'I live in Hull.', 'Hull'],
  ['My name is Morwenna.', 'Morwenna', 'My name is Tamsin.', 'Tamsin'],
  ['我住在成都。', '成都', '我住在重庆。', '重庆'],
  ['我叫知夏。', '知夏', '我叫知秋。', '知秋'],
];

describe('without a model', () => {
  it.each(cities)(
    'a line of the profile follows its sentence: %s',
    async (said, value, changed, other) => {
      const user = open(without, `profile-${cities.findIndex((city) => city[1] === value)}`);
      await user.call('remember', { text: 'I collect old lighthouse postcards.' });
      const { id, kind } = await user.call('remember', { text: said });
      expect(kind).toBe('fact');
      const recalled = await user.call('recall', { query: said, kind: 'note' });
      const [note] = (recalled['memories'] as { id: string; text: string }[]).filter(({ text }) =>
        text.includes(value),
      );
      const sentence = String(note?.id);
      const corrected = await user.call('update_memory', { id: sentence, text: changed });
      expect(corrected['message']).toContain('1 memory drawn from it written again');
      expect((await user.call('get_memory', { id: String(id) }))['text']).toContain(other);
      const forgotten = await user.call('forget', { id: sentence });
      expect(forgotten['consequences']).toEqual([`removed ${id}`]);
      const all = JSON.stringify([await user.call('list_memories', { limit: 100 }), await user.prompt(changed)]);
      expect([all.includes(other), all.includes('lighthouse')]).toEqual([false, true]);
      record('profile', said, 2);
    },
    120_000,
  );

  it.each(matters)(
    'an episode that is erased is told nowhere: $word',
    async (matter) => {
      const user = open(without, `plain-${matter.user}`);
      await user.tell(matter.said);
      await user.tell(matter.unrelated, 'Good evening.');
      const [id = ''] = await user.find(matter.word, true);
      expect((await user.call('forget', { id }))['message']).toMatch(/^Forgotten/u);
      await expectToldNowhere(user, matter.word, matter.query);
      await expectUntouched(user, matter);
      record('plain', matter.said, 0);
    },
    120_000,
  );

  it.each(matters)(
    'a conclusion of two memories goes with the last of them, in every store: $word',
    async (matter) => {
      const user = open(without, `drawn-${matter.user}`);
      await user.call('remember', { text: matter.unrelated, kind: 'note' });
      const remember = async (text: string) => String((await user.call('remember', { text, kind: 'note' }))['id']);
      const [first, second] = [await remember(matter.said), await remember(`${matter.said} ${matter.unrelated}`)];
      const both = { derived_from: [first, second] };
      const one = { derived_from: [first] };
      const thing = { entity_type: 'person', name: matter.word };
      const pet = { entity_type: 'pet', name: `${matter.word} 2` };
      const [alone, shared] = [
        await user.call('personal-memory__create_entity', { ...thing, ...one }),
        await user.call('personal-memory__create_entity', { ...pet, ...both }),
      ];
      await user.call('personal-memory__create_entity_relation', {
        entity_id_1: alone['entity_id'] as number,
        entity_id_2: shared['entity_id'] as number,
        relation_type: 'knows',
        ...one,
      });
      const event = { event_type: 'other', description: matter.said, ...both };
      const { event_id } = await user.call('personal-memory__add_event', event);
      await user.call('personal-memory__update_profile', { key: 'hobby', value: matter.word, ...one });
      const typed = { memory_type: 'semantic', content: matter.said };
      const { memory_id } = await user.call('typed-memory__memory_add', { ...typed, ...both });
      // Of a conclusion another is drawn.
      await user.call('personal-memory__update_profile', {
        key: 'again',
        value: matter.word,
        derived_from: [`typed:${memory_id}`],
      });
      const dry = await user.call('forget', { id: first, dry_run: true });
      const toKinds = (consequences: unknown) => (consequences as string[]).map((told) => told.split(/: /u)[0]).sort();
      const expected = [
        `kept entity:${shared['entity_id']}`,
        `kept event:${event_id}`,
        `kept typed:${memory_id}`,
        `removed entity:${alone['entity_id']}`,
        'removed fact:hobby',
        'removed relation:1',
      ];
      expect(toKinds(dry['consequences'])).toEqual(expected);
      expect(toKinds((await user.call('forget', { id: first }))['consequences'])).toEqual(expected);
      const last = await user.call('forget', { id: second });
      expect(toKinds(last['consequences'])).toEqual([
        `removed entity:${shared['entity_id']}`,
        `removed event:${event_id}`,
        'removed fact:again',
        `removed typed:${memory_id}`,
      ]);
      await expectToldNowhere(user, matter.word, matter.query);
      await expectUntouched(user, matter);
      record('drawn', matter.said, 10);
    },
    120_000,
  );
});

describe('docs/forgetting.md', () => {
  it('says what the stories came to', async () => {
    const stories = matters.length * 5 + cities.length;
    const ran = [...outcomes.values()].reduce((sum, { english, chinese }) => sum + english + chinese, 0);
    if (ran < stories) return;
    const docs = await readFile(new URL('../../../../docs/forgetting.md', import.meta.url), 'utf8');
    for (const [story, { english, chinese, followed }] of outcomes) {
      expect(docs).toContain(`| \`${story}\` | ${english} | ${chinese} | ${followed} |`);
    }
  });
});
