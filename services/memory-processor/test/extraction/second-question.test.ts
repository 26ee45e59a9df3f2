import type { RecordedRequest, Step } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { createKeptMemories } from '../support/memory-stores.ts';
import { type ScriptedModel, startScriptedModel, toAnswerText } from '../support/scripted-model.ts';

const running: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ endpoint }) => endpoint.close()));
});

const HISTORY = `# 2024-03-05
Ann: I never drink coffee. I have a cat called Miso.
Ann: I'm done with smoking, I quit for good in May.`;
const sober = { content: 'Ann drinks coffee.', evidence: ['1'] };
const cat = { content: 'Ann has a cat called Miso.', evidence: ['1'] };
const smoke = { content: 'Ann smokes.', evidence: ['2'] };
const isSecond = ({ body }: RecordedRequest): boolean => String(body.messages?.[0]?.content).includes('"verdicts"');

async function become(second: Step, checksAll = false) {
  const model = await startScriptedModel({
    checksAll,
    chat: (request) => (isSecond(request) ? second : { kind: 'answer', text: toAnswerText(sober, cat, smoke) }),
  });
  running.push(model);
  const memories = createKeptMemories();
  const processor = createMemoryProcessor({ memories, extractor: model.extractor });
  const conversation = { userId: 'ann', conversationHistory: HISTORY };
  const estimate = await processor.estimateTranscript(conversation);
  const outcome = await processor.processTranscript(conversation);
  const facts = [...memories.documents.values()].filter(({ tags }) => !tags.includes('episode'));
  return {
    facts: facts.map(({ content }) => content).sort(),
    outcome,
    estimate,
    asked: model.endpoint.requests.filter(isSecond).map(({ body }) => String(body.messages?.[1]?.content)),
  };
}

describe('facts that rules cannot decide', () => {
  it('are asked about in one question, which decides', async () => {
    const text = JSON.stringify({ verdicts: ['1 supported', '2 contradicted'] });
    const { facts, asked, outcome } = await become({ kind: 'answer', text });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('1 [1]: Ann drinks coffee.\n2 [2]: Ann smokes.');
    expect(asked[0]?.match(/cat called Miso/gu)).toHaveLength(1);
    expect(asked[0]).not.toContain('3 [');
    expect(facts).toEqual([sober.content, cat.content].sort());
    expect(outcome.usage.calls).toBe(2);
  });

  it('are asked about with all others where all are to be checked, doubtful ones first', async () => {
    const verdicts = ['not_said', 'contradicted', 'contradicted'].map((verdict, at) => ({ claim: at + 1, verdict }));
    const { facts, asked, outcome } = await become({ kind: 'answer', text: JSON.stringify({ verdicts }) }, true);
    expect(asked).toEqual([
      expect.stringMatching(/1 \[1\]: Ann drinks.*2 \[2\]: Ann smokes.*3 \[1\]: Ann has a cat/su),
    ]);
    expect(facts).toEqual([]);
    expect(outcome.notSaved).toContainEqual(expect.objectContaining({ content: cat.content, reason: 'not said' }));
  });

  it('are those too that were not said plainly, where rules alone would keep them', async () => {
    const kayak = { content: 'Ann owns a red kayak.', evidence: ['1'] };
    const verdicts = { verdicts: [{ claim: 1, verdict: 'contradicted' }] };
    const chat = (request: RecordedRequest): Step => ({
      kind: 'answer',
      text: isSecond(request) ? JSON.stringify(verdicts) : toAnswerText(kayak),
    });
    const model = await startScriptedModel({ chat });
    running.push(model);
    const processor = createMemoryProcessor({ memories: createKeptMemories(), extractor: model.extractor });
    const conversationHistory = 'Ann: The couple upstairs own a red kayak, and my neighbours a canoe.';
    const { notSaved } = await processor.processTranscript({ userId: 'ann', conversationHistory });
    expect(notSaved).toMatchObject([{ content: kayak.content, reason: 'not said' }]);
  });

  it.each([true, false])('cost what a dry run tells, where all are to be checked: %s', async (checksAll) => {
    const verdicts = { verdicts: ['1 supported'] };
    const { outcome, estimate } = await become({ kind: 'answer', text: JSON.stringify(verdicts) }, checksAll);
    expect(estimate.usage.calls).toBe(outcome.usage.calls);
  });

  it('are shown with their turns, the end of the turn before and the beginning of the one after, and no other', async () => {
    const filler = 'and so on and on and on about the weather, as people do, '.repeat(4);
    const history = ['first', `${filler}before`, 'If I win, I buy a boat.', `after ${filler}`, 'last'].map(
      (text, at) => `${at === 2 ? 'Ann' : 'Ben'}: ${text}`,
    );
    const model = await startScriptedModel({
      chat: (request) => ({
        kind: 'answer',
        text: isSecond(request) ? '{"verdicts": []}' : toAnswerText({ content: 'Ann has a boat.', evidence: ['3'] }),
      }),
    });
    running.push(model);
    const processor = createMemoryProcessor({ memories: createKeptMemories(), extractor: model.extractor });
    await processor.processTranscript({ userId: 'ann', conversationHistory: history.join('\n') });
    const [asked] = model.endpoint.requests.filter(isSecond).map(({ body }) => String(body.messages?.[1]?.content));
    const shown = /^\[1\] Ben: ….{70,79}before\n\[2\] Ann: If I win, I buy a boat\.\n\[3\] Ben: after .{20,34}…\n/mu;
    expect(asked).toMatch(shown);
    expect(asked).toContain('\n1 [2]: Ann has a boat.');
    expect(asked).not.toMatch(/first|last/u);
  });

  it.each([
    ['fails', { kind: 'error', status: 500 }],
    ['answers nonsense', { kind: 'answer', text: '?' }],
    [
      'answers verdicts of claims that it was not asked about',
      { kind: 'answer', text: '{"verdicts": ["9 supported"]}' },
    ],
    ['answers two verdicts of one claim', { kind: 'answer', text: '{"verdicts": ["1 supported", "1 not_said"]}' }],
    ['answers numbers in place of verdicts', { kind: 'answer', text: '{"verdicts": [1, 2, null, {}]}' }],
    ['refuses', { kind: 'refusal', text: 'no' }],
  ] as const)('stay as rules have it when the model %s', async (_name, step) => {
    const { facts, outcome } = await become(step);
    expect([facts, outcome.failed]).toEqual([[cat.content], []]);
  });
});
