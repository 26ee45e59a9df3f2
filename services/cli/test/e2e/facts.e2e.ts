import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listDecisionsResponseSchema, listFactsResponseSchema } from '@contextloom/contracts';
import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningAggregator, startAggregator } from './running-aggregator.ts';

let folder: string;
let model: ScriptedOpenAi;
let aggregator: RunningAggregator;

/** Draws what the user says as facts, and takes none of them for another. */
function answer(asked: string): string {
  const memories = [...asked.matchAll(/^\[(\d+)\] (?!assistant)[^:]+: (.*)$/gmu)].map(([, label = '', content]) => ({
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
  folder = await mkdtemp(join(tmpdir(), 'contextloom-facts-'));
  model = await startScriptedOpenAi({
    chat: ({ body }) => ({ kind: 'answer', text: answer(String(body.messages?.at(-1)?.content)) }),
  });
  const env = { LLM_MODEL: 'scripted', LLM_BASE_URL: model.url, LLM_API_KEY: model.apiKey };
  aggregator = await startAggregator({ folder, memoryProcessor: { env } });
});
afterAll(async () => {
  await aggregator?.close();
  await model?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const tell = (user_id: string, opening: string, fact: string) =>
  aggregator.call('store_conversation_memory', {
    user_id,
    conversation_history: [
      { role: 'assistant', content: opening },
      { role: 'user', content: fact },
    ],
  });
const factsOf = async (user_id: string): Promise<readonly string[]> => {
  const { structured } = await aggregator.call('list_facts', { user_id });
  return listFactsResponseSchema.parse(structured).facts.map(({ content, mentions }) => `${content} ${mentions}`);
};
const decisionsOf = async (user_id: string) => {
  const { structured } = await aggregator.call('list_decisions', { user_id });
  return listDecisionsResponseSchema.parse(structured).decisions;
};

describe('facts of users, through the aggregator', () => {
  it('are listed, and a decision about them is undone, by their own user alone', async () => {
    for (const opening of ['Hello.', 'Good morning.']) {
      expect(await tell('ann', opening, 'Ann lives in Bonn with a cat.')).toMatchObject({
        structured: { success: true },
      });
      expect(await tell('安', opening, '安住在成都，养了一只猫。')).toMatchObject({ structured: { success: true } });
    }
    expect(await factsOf('ann')).toEqual(['Ann lives in Bonn with a cat. 2']);
    expect(await factsOf('安')).toEqual(['安住在成都，养了一只猫。 2']);
    expect(await factsOf('bo')).toEqual([]);
    const [decision, ...others] = await decisionsOf('ann');
    expect([decision, others]).toMatchObject([{ relation: 'same', fact: 'Ann lives in Bonn with a cat.' }, []]);
    expect(await decisionsOf('bo')).toEqual([]);

    const decision_id = decision?.id ?? '';
    const problem = `there is no decision "${decision_id}" of this user`;
    for (const user_id of ['安', 'bo']) {
      expect(await aggregator.call('undo_decision', { user_id, decision_id })).toEqual({ problem });
    }
    expect(await factsOf('ann')).toEqual(['Ann lives in Bonn with a cat. 2']);
    const undone = await aggregator.call('undo_decision', { user_id: 'ann', decision_id });
    expect(undone).toMatchObject({ structured: { success: true, decision: { id: decision_id } } });
    expect(await factsOf('ann')).toEqual(['Ann lives in Bonn with a cat. 1', 'Ann lives in Bonn with a cat. 1']);
    expect(await factsOf('安')).toEqual(['安住在成都，养了一只猫。 2']);
    expect(await aggregator.call('undo_decision', { user_id: 'ann', decision_id })).toEqual({
      problem: `the decision "${decision_id}" is undone already`,
    });
  });
});
