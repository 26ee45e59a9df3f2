import { afterEach, describe, expect, it } from '@jest/globals';
import { toFactAnswer } from '../../src/answers.ts';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { createKeptMemories } from '../support/memory-stores.ts';
import { type ScriptedModel, startScriptedModel, toAnswerText } from '../support/scripted-model.ts';

const running: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ endpoint }) => endpoint.close()));
});

/** When a fact happened, as it is answered, listed and stored, where a model dates what was said so. */
async function date(content: string, occurredAt: string) {
  const fact = { content, occurred_at: occurredAt, evidence: ['1'] };
  const model = await startScriptedModel({ chat: [{ kind: 'answer', text: toAnswerText(fact) }] });
  running.push(model);
  const memories = createKeptMemories();
  const processor = createMemoryProcessor({ memories, extractor: model.extractor });
  const request = { userId: 'anna', transcriptId: 't', conversationHistory: `# 2024-05-05\nAnna: ${content}` };
  const [saved] = (await processor.processTranscript(request)).saved;
  const listed = (await processor.listFacts({ userId: 'anna' })).map(toFactAnswer)[0];
  const stored = [...memories.documents.values()].find(({ tags }) => !tags.includes('episode'))?.metadata;
  return [saved, listed, stored].map((one) => [one?.['occurred_at'], one?.['occurred_on']]);
}

/** When a fact began and ended, as it is answered, listed and stored, where a model says so. */
async function span(content: string, began: string | null, ended: string) {
  const fact = { content, occurred_at: began, ended_at: ended, evidence: ['1'] };
  const model = await startScriptedModel({ chat: [{ kind: 'answer', text: toAnswerText(fact) }] });
  running.push(model);
  const memories = createKeptMemories();
  const processor = createMemoryProcessor({ memories, extractor: model.extractor });
  const request = { userId: 'anna', conversationHistory: `# 2024-05-05\nAnna: ${content}` };
  const [saved] = (await processor.processTranscript(request)).saved;
  const listed = (await processor.listFacts({ userId: 'anna' })).map(toFactAnswer)[0];
  const stored = [...memories.documents.values()].find(({ tags }) => !tags.includes('episode'))?.metadata;
  return [saved, listed, stored].map((one) => [one?.['occurred_on'], one?.['ended_at'], one?.['ended_on']]);
}

describe('a state', () => {
  const bank = 'Anna worked at a bank from 2019 until March 2024.';
  it.each([
    [bank, '2019', '2024-03', ['2019', '2024-03-01T00:00:00.000Z', '2024-03']],
    [bank, null, '2024-03', [undefined, '2024-03-01T00:00:00.000Z', '2024-03']],
    ['安娜2019年到2024年3月在银行工作。', '2019', '2024-03', ['2019', '2024-03-01T00:00:00.000Z', '2024-03']],
    ['Anna was away until 4 May 2024.', null, '2024-05-04', [undefined, '2024-05-04T00:00:00.000Z', undefined]],
    // Nobody said so, or it ends before it begins: no end is told.
    [bank, '2019', '2021-07', ['2019', undefined, undefined]],
    [bank, '2024-03', '2019', ['2024-03', undefined, undefined]],
    [bank, '2019', 'present', ['2019', undefined, undefined]],
  ])(
    '%j that a model gives from %s until %s is kept as precise as it was said',
    async (content, began, ended, kept) => {
      expect(await span(content, began, ended)).toEqual([kept, kept, kept]);
    },
  );
});

describe('a fact', () => {
  it.each([
    ['Anna moved to Lyon in March 2023.', '2023-03', '2023-03-01', '2023-03'],
    ['Anna moved to Lyon in March 2023.', '2023-3', '2023-03-01', '2023-03'],
    ['Anna moved to Lyon in 2023.', '2023', '2023-01-01', '2023'],
    ['安娜2023年3月搬到了里昂。', '2023-03', '2023-03-01', '2023-03'],
    ['Anna moved to Lyon on 4 March 2023.', '2023-03-04', '2023-03-04', undefined],
    // A day that nobody said: the month or the year was.
    ['Anna moved to Lyon in March 2023.', '2023-03-01', '2023-03-01', '2023-03'],
    ['Anna moved to Lyon in March.', '2024-03-01', '2024-03-01', '2024-03'],
    ['Anna moved to Lyon in March.', '2024-03-17', '2024-03-01', '2024-03'],
    ['Anna moved to Lyon last month.', '2024-04-05', '2024-04-01', '2024-04'],
    ['Anna moved to Lyon three months ago.', '2024-02-05', '2024-02-01', '2024-02'],
    ['Anna moved to Lyon last year.', '2023-01-01', '2023-01-01', '2023'],
    ['Anna moved to Lyon in 2021.', '2021-06', '2021-01-01', '2021'],
    ['安娜三月搬到了里昂。', '2024-03-01', '2024-03-01', '2024-03'],
    ['安娜去年3月搬到了里昂。', '2023-03-01', '2023-03-01', '2023-03'],
    ['安娜上个月搬到了里昂。', '2024-04-05', '2024-04-01', '2024-04'],
    ['安娜去年搬到了里昂。', '2023-05-05', '2023-01-01', '2023'],
    // A day that was said, however.
    ['Anna moved to Lyon on March 1.', '2024-03-01', '2024-03-01', undefined],
    ['Anna moved to Lyon on the first of March.', '2024-03-01', '2024-03-01', undefined],
    ['Anna moved to Lyon on March fourth last year.', '2023-03-04', '2023-03-04', undefined],
    ['Anna moved to Lyon yesterday.', '2024-05-04', '2024-05-04', undefined],
    ['Anna moved to Lyon two weeks ago.', '2024-04-21', '2024-04-21', undefined],
    ['Anna moved to Lyon at Christmas.', '2023-12-25', '2023-12-25', undefined],
    ['安娜三月一号搬到了里昂。', '2024-03-01', '2024-03-01', undefined],
    ['安娜去年三月四号搬到了里昂。', '2023-03-04', '2023-03-04', undefined],
    // Nobody said so: it is dated by the conversation, which has a day.
    ['Anna moved to Lyon in March 2023.', '2021-07', '2024-05-05', undefined],
  ])('%j that a model dates %s is of %s, as precise as %s', async (content, said, day, on) => {
    const at = `${day}T00:00:00.000Z`;
    expect(await date(content, said)).toEqual(Array.from({ length: 3 }, () => [at, on]));
  });
});
