import { randomUUID } from 'node:crypto';
import { searchRequestSchema } from '@contextloom/contracts';
import { createHttpKnowledgeBase } from '@contextloom/knowledge-client';
import { createChatModel } from '@contextloom/llm';
import { silentLog } from '@contextloom/runtime';
import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startLocalService } from '../../../knowledge-base/test/support/local-service.ts';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import type { MemoryProcessor } from '../../src/domain/memory-processor.ts';
import { createKnowledgeBaseStore } from '../../src/store/knowledge-base-store.ts';
import { isSecond, supportAll, toAnswerText } from '../support/scripted-model.ts';

type Relation = 'replaces' | 'corrects';
/** What somebody says of one thing, one time after the other, and what each is to the one before. */
interface Series {
  readonly relation: Relation;
  readonly says: readonly string[];
}

const english: Readonly<Record<string, Series>> = {
  coffee: { relation: 'replaces', says: ['Ann loves coffee.', 'Ann hates coffee.', 'Ann drinks only decaf coffee.'] },
  home: { relation: 'replaces', says: ['Ann lives in Bonn.', 'Ann lives in Lyon now.', 'Ann has moved to Porto.'] },
  job: { relation: 'replaces', says: ['Ann works as a nurse.', 'Ann works as a teacher.'] },
  birthday: { relation: 'corrects', says: ["Ann's birthday is on 3 May.", "Ann's birthday is on 5 May."] },
  partner: { relation: 'replaces', says: ['Ann is together with Tom.', 'Ann is together with Leo.'] },
  plan: { relation: 'replaces', says: ['Ann runs the marathon in June.', 'Ann runs the marathon in October.'] },
};
const chinese: Readonly<Record<string, Series>> = {
  咖啡: { relation: 'replaces', says: ['林夕喜欢喝咖啡。', '林夕讨厌喝咖啡。', '林夕只喝低因咖啡。'] },
  住处: { relation: 'replaces', says: ['林夕住在北京。', '林夕住在成都。', '林夕现在住在杭州。'] },
  工作: { relation: 'replaces', says: ['林夕在医院做护士。', '林夕在学校做老师。'] },
  生日: { relation: 'corrects', says: ['林夕的生日是5月3日。', '林夕的生日是5月5日。'] },
  伴侣: { relation: 'replaces', says: ['林夕的男朋友是小王。', '林夕的男朋友是小李。'] },
  计划: { relation: 'replaces', says: ['林夕打算六月跑马拉松。', '林夕打算十月跑马拉松。'] },
};

const all = [...Object.values(english), ...Object.values(chinese)];
const NUMBERED = /^(\d+)\. (?:(?:NEW|新) )?\[([^\]]*)\] (.*)$/gmu;

/** A model that draws what the user says as a fact, and knows what each is to the one before, if it is shown that one. */
function answer([instructions = '', asked = '']: readonly string[]): string {
  if (!instructions.includes('"decisions"')) {
    const [, piece = ''] = asked.split(/The piece to read:|要读的这一段：/u);
    const said = [...piece.matchAll(/^\[(\d+)\] (?!assistant)[^:]+: (.*)$/gmu)];
    return toAnswerText(...said.map(([, label = '', content]) => ({ content, evidence: [label] })));
  }
  const statements = [...asked.matchAll(NUMBERED)].map(([, number, , text = '']) => ({ number: Number(number), text }));
  const decisions = statements.flatMap(({ number, text }) => {
    const { relation, says } = all.find((series) => series.says.includes(text)) ?? { relation: 'replaces', says: [] };
    const before = statements.find((one) => one.number < number && one.text === says[says.indexOf(text) - 1]);
    return before === undefined ? [] : [{ fact: number, relation, of: [before.number] }];
  });
  return JSON.stringify({ decisions });
}

const ends: (() => Promise<void>)[] = [];
let endpoint: ScriptedOpenAi;
let url = '';
let processor: MemoryProcessor;
beforeAll(async () => {
  const service = await startLocalService();
  endpoint = await startScriptedOpenAi({
    chat: (request) => {
      if (isSecond(request)) return supportAll(request);
      return { kind: 'answer', text: answer((request.body.messages ?? []).map(({ content }) => String(content))) };
    },
  });
  ends.push(() => endpoint.close(), service.stop);
  url = service.url;
  const llm = await createChatModel({
    model: 'scripted',
    baseUrl: endpoint.url,
    apiKey: endpoint.apiKey,
    concurrency: 4,
  });
  processor = createMemoryProcessor({ memories: openMemories(), llm });
});
afterAll(async () => {
  for (const end of ends) await end();
});

const knowledge = () => createHttpKnowledgeBase({ url, newId: randomUUID, log: silentLog });
const openMemories = () => createKnowledgeBaseStore(knowledge());
const toDate = (step: number): string => `2024-0${step + 1}-10`;

/** Says every series step by step, each step on its day and each thing in a conversation of its own. */
async function sayAll(userId: string, series: Readonly<Record<string, Series>>, by = processor): Promise<void> {
  for (let step = 0; step < 3; step += 1) {
    for (const [name, { says }] of Object.entries(series)) {
      const content = says[step];
      if (content === undefined) continue;
      await by.processTranscript({
        userId,
        transcriptId: `${name}-${step}`,
        conversationDate: toDate(step),
        conversationHistory: [{ role: 'user', content }],
      });
    }
  }
}

/** The facts that a prompt could show: what any search for memories finds. */
async function findFacts(userId: string, query: string): Promise<readonly string[]> {
  const filter = { tags: ['memory'], metadata_filter: { user_id: userId, memory_type: { ne: 'episode' } } };
  const hits = await knowledge().search(searchRequestSchema.parse({ query, ...filter, top_k: 100 }));
  return hits.map(({ content }) => content);
}
const factsOf = async (userId: string, asOf?: string) =>
  (await processor.listFacts({ userId, asOf })).map(({ document }) => document.content);

describe.each([
  ['English', 'ann', english],
  ['Chinese', 'lin', chinese],
])('facts that change, in %s', (_language, userId, series) => {
  beforeAll(() => sayAll(userId, series), 60_000);
  const lists = Object.values(series).map(({ says }) => says);

  it('show the last state only, whoever searches', async () => {
    const current = lists.map((says) => says.at(-1)).sort();
    expect([...(await findFacts(userId, ''))].sort()).toEqual(current);
    for (const says of lists) expect(await findFacts(userId, says[0] ?? '')).not.toContain(says[0]);
    expect([...(await factsOf(userId))].sort()).toEqual(current);
  });

  it('show the state of any day, and at none what was never so', async () => {
    const corrected = Object.values(series).flatMap(({ relation, says }) => (relation === 'corrects' ? [says[0]] : []));
    for (const [step, day] of [0, 1].map((at) => [at, `2024-0${at + 1}-20`] as const)) {
      const so = lists.map((says) => says[Math.min(step, says.length - 1)]).filter((fact) => !corrected.includes(fact));
      expect([...(await factsOf(userId, day))].sort()).toEqual(so.sort());
    }
    expect(await factsOf(userId, '2023-12-31')).toEqual([]);
  });

  it('are all kept, with the decisions and what they rest on', async () => {
    const kept = await processor.listFacts({ userId, includeSuperseded: true });
    expect(kept.map(({ document }) => document.content).sort()).toEqual(lists.flat().sort());
    const decisions = await processor.listDecisions(userId);
    expect(decisions).toHaveLength(lists.flat().length - lists.length);
    const [first = '', second = ''] = lists[1] ?? [];
    expect(decisions.find(({ fact }) => fact.text === second)).toMatchObject({
      relation: 'replaces',
      known: { text: first },
      decidedBy: 'scripted',
      promptVersion: 'decision-1',
      evidence: expect.stringMatching(/-1 1$/u),
    });
  });

  it('are so again when the decision is undone, once', async () => {
    const [first = '', second = ''] = lists[2] ?? [];
    const id = (await processor.listDecisions(userId)).find(({ fact }) => fact.text === second)?.id ?? '';
    await expect(processor.undoDecision('somebody', id)).rejects.toMatchObject({ code: 'not_found' });
    await processor.undoDecision(userId, id);
    expect(await findFacts(userId, '')).toEqual(expect.arrayContaining([first, second]));
    await expect(processor.undoDecision(userId, id)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a fact that', () => {
  const say = async (userId: string, transcriptId: string, content: string, conversationDate: string) =>
    processor.processTranscript({
      userId,
      transcriptId,
      conversationDate,
      conversationHistory: [{ role: 'user', content }],
    });

  it('is said again is counted, and stored when that is undone', async () => {
    const countReadings = () => endpoint.requests.filter((request) => !isSecond(request)).length;
    const asked = countReadings();
    await say('kim', 'a', 'Kim has two cats.', '2024-01-10');
    const { saved, notSaved } = await say('kim', 'b', 'kim has two cats', '2024-03-10');
    expect([saved.length, notSaved]).toEqual([
      1,
      [expect.objectContaining({ reason: 'known already: Kim has two cats.' })],
    ]);
    expect(await processor.listFacts({ userId: 'kim' })).toMatchObject([{ document: { metadata: { mentions: 2 } } }]);
    const [decision] = await processor.listDecisions('kim');
    expect(decision).toMatchObject({ relation: 'same', decidedBy: 'rules' });
    await processor.undoDecision('kim', decision?.id ?? '');
    expect(await findFacts('kim', 'cats')).toHaveLength(2);
    // Equal words need no model: one call reads each conversation.
    expect(countReadings()).toBe(asked + 2);
  });

  it('comes late is not what is so now', async () => {
    await say('lou', 'b', 'Ann lives in Lyon now.', '2024-02-10');
    await say('lou', 'a', 'Ann has moved to Porto.', '2024-01-10');
    expect(await findFacts('lou', '')).toEqual(['Ann lives in Lyon now.']);
    expect(await factsOf('lou', '2024-01-20')).toEqual(['Ann has moved to Porto.']);
  });
});

describe('without a judge', () => {
  it('nothing is superseded', async () => {
    const { extractor } = processor;
    expect(extractor).toEqual({ kind: 'model', name: 'scripted' });
    const rules = createMemoryProcessor({ memories: openMemories() });
    await sayAll('rae', english, rules);
    expect(await processor.listDecisions('rae')).toEqual([]);
  });
});
