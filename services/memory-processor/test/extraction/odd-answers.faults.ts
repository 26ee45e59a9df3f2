import type { RecordedRequest, Step } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { both, facts, HISTORY, lyon, say, work } from '../support/lyon.ts';
import { createKeptMemories } from '../support/memory-stores.ts';
import { type ScriptedModel, startScriptedModel, toAnswerText } from '../support/scripted-model.ts';

const running: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ endpoint }) => endpoint.close()));
});

const message = (fields: object, finish = 'stop'): Step => ({
  kind: 'rubbish',
  body: JSON.stringify({ choices: [{ finish_reason: finish, message: { content: null, ...fields } }] }),
});
const call = { name: 'save_memories', arguments: { memories: facts } };

/** Answers that say both facts, each in a way of its own. */
const bothSaid: readonly (readonly [name: string, ...steps: Step[]])[] = [
  ['whole JSON that ended at the limit', { kind: 'answer', text: both, finish: 'length' }],
  ['facts', say({ facts })],
  ['memory', say({ memory: facts })],
  ['a key of its own', say({ extracted_information: facts, count: 2 })],
  ['a key in Chinese', say({ 记忆: facts })],
  ['lists by kind', say({ events: [facts[0]], plans: [facts[1]] })],
  ['a map by number', say({ 1: facts[0], 2: facts[1] })],
  ['a wrapper', say({ result: { data: { memories: facts } } })],
  ['JSON in a string', say({ memories: JSON.stringify(facts) })],
  ['an object a line', say(facts.map((fact) => JSON.stringify(fact)).join('\n'))],
  ['plain strings', say({ memories: [lyon.content, work.content] })],
  ['a bare list of strings', say([lyon.content, work.content])],
  ['a field fact', say({ memories: facts.map(({ content, ...rest }) => ({ fact: content, ...rest })) })],
  ['a field 事实', say({ memories: facts.map(({ content, ...rest }) => ({ 事实: content, ...rest })) })],
  ['a tool call', message({ tool_calls: [{ type: 'function', function: { ...call, arguments: both } }] })],
  ['a function call', message({ function_call: { name: 'f', arguments: both } })],
  ['the shape of a tool call in text', say(call)],
  ['a list of tool calls in text', say([{ ...call, arguments: both }])],
  ['a tool call between tags', say(`<tool_call>\n${JSON.stringify(call)}\n</tool_call>`)],
  ['reasoning alone', message({ content: '', reasoning_content: `I think: ${both}` })],
  ['reasoning that does not end', say(`<think>${both}`)],
  ['parts of text', message({ content: [{ type: 'text', text: both }] })],
  ['parts of output', message({ content: [{ type: 'output_text', text: both }] })],
  ['an object for text', message({ content: { memories: facts } })],
  ['a list of objects for text', message({ content: facts })],
  ['trailing commas and single quotes', say(both.replaceAll('"', "'").replaceAll('}]', '},]'))],
  ['evidence "1, 3" in one', say(toAnswerText({ ...lyon, evidence: '1, 3' }, { ...work, evidence: ['1, 3'] }))],
  ['evidence "turn 1"', say(toAnswerText({ ...lyon, evidence: 'turn 1' }, { ...work, evidence: ['第3轮'] }))],
  ['evidence "turns 1 and 2"', say(toAnswerText({ ...lyon, evidence: 'turns 1 and 2' }, work))],
  [
    'evidence as objects',
    say(toAnswerText({ ...lyon, evidence: [{ turn: 1 }] }, { ...work, evidence: { id: '[3]' } })),
  ],
  ['evidence as words', say(toAnswerText({ ...lyon, evidence: ['I moved to Lyon yesterday'] }, work))],
  ['no JSON schema, told with 422', { kind: 'error', status: 422, param: 'response_format' }, say(both)],
  [
    'fewer tokens than asked for',
    { kind: 'error', status: 400, message: 'max_tokens is too large: at most 1024' },
    say(both),
  ],
  ['a body that breaks off', { kind: 'half' }, say(both)],
  [
    'JSON cut off though it stopped, and the rest when asked',
    say(both.slice(0, both.length - 30)),
    say(toAnswerText(work)),
  ],
  [
    'JSON cut off at the limit, and the rest when asked',
    { kind: 'answer', text: both.slice(0, both.length - 30), finish: 'length' },
    say(toAnswerText(work)),
  ],
];

const ratings: readonly (readonly [given: unknown, importance: number])[] = [
  ['8/10', 8],
  ['4 / 5', 8],
  ['7 out of 10', 7],
  ['high', 8],
  ['Very High', 9],
  ['medium', 5],
  ['高', 8],
  [0.9, 9],
  [85, 9],
  ['85%', 9],
  [8.6, 9],
  ['8.5', 9],
  [11, 10],
  [{ score: 3 }, 5],
  [undefined, 5],
];

async function become(steps: readonly Step[]) {
  const model = await startScriptedModel({ chat: steps });
  running.push(model);
  const memories = createKeptMemories();
  const processor = createMemoryProcessor({ memories, extractor: model.extractor });
  const outcome = await processor.processTranscript({ userId: 'anna', conversationHistory: HISTORY });
  const kept = [...memories.documents.values()];
  return {
    outcome,
    facts: kept.filter(({ tags }) => !tags.includes('episode')),
  };
}

describe('nothing that was paid for is lost of', () => {
  it.each(ratings)('a rating of %j', async (given, importance) => {
    const { facts: kept, outcome } = await become([say(toAnswerText({ ...lyon, importance: given }))]);
    expect(kept.map(({ metadata }) => metadata['importance'])).toEqual([importance]);
    expect(outcome.notSaved).toEqual([]);
  });

  it('an answer whose rest never comes: what is whole is kept, and what is missing told', async () => {
    const cut = { kind: 'answer', text: both.slice(0, both.length - 30), finish: 'length' } as const;
    const { facts: kept, outcome } = await become([cut, { kind: 'answer', text: '{"memories": [', finish: 'length' }]);
    expect(kept.map(({ content }) => content)).toEqual([lyon.content]);
    expect(outcome.failed).toEqual([expect.objectContaining({ reason: expect.stringMatching(/cut off/) })]);
  });
});

const isOdd = ({ body }: RecordedRequest): boolean => String(body.messages?.[1]?.content).includes('Odda');
const batchOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    userId: `user ${at}`,
    transcriptId: `t${at}`,
    conversationHistory: at % 6 === 2 ? HISTORY.replaceAll('Ben', 'Odda') : HISTORY,
  }));

/** Records conversations side by side, of which each sixth gets odd answers, the same ones each. */
async function recordBatch(steps: readonly Step[], count: number) {
  let asked = 0;
  const model = await startScriptedModel({
    concurrency: 4,
    chat: (request) => {
      if (!isOdd(request)) return say(both);
      asked += 1;
      return steps[Math.min(asked, steps.length) - 1] ?? say(both);
    },
  });
  running.push(model);
  const memories = createKeptMemories();
  const processor = createMemoryProcessor({ memories, extractor: model.extractor });
  const outcomes = await Promise.all(batchOf(count).map((one) => processor.processTranscript(one)));
  const kept = [...memories.documents.values()];
  const facts = kept.filter(({ tags }) => !tags.includes('episode'));
  const byUser = facts.toSorted((a, b) => (String(a.metadata['user_id']) < String(b.metadata['user_id']) ? -1 : 1));
  return { outcomes, episodes: kept.length - facts.length, facts: byUser.map(({ content }) => content) };
}

describe('in a batch of six, the run goes on and every fact is saved with one answer that is', () => {
  it.each(bothSaid)('%s', async (_name, ...steps) => {
    const { outcomes, episodes, facts: saved } = await recordBatch(steps, 6);
    expect(saved).toEqual(Array.from({ length: 6 }, () => [lyon.content, work.content]).flat());
    expect(episodes).toBe(6);
    for (const one of outcomes) expect(one).toMatchObject({ failed: [], notSaved: [], isComplete: true });
  });
});

/** Answers that say nothing of use, and whether the next run asks again. */
const useless: readonly (readonly [name: string, isAskedAgain: boolean, step: Step])[] = [
  ['a refusal', false, { kind: 'refusal', text: 'no' }],
  ['a content filter', false, { kind: 'error', status: 400, code: 'content_filter' }],
  ['a request that is too long', false, { kind: 'error', status: 413 }],
  ['no JSON', false, say('?')],
  ['JSON that begins and ends', false, { kind: 'answer', text: '{"memories": [', finish: 'length' }],
  ['an empty answer', false, say('')],
  ['the wrong body', true, { kind: 'body', status: 500, body: '<html>' }],
  ['a broken connection', true, { kind: 'cut' }],
  ['a connection that breaks half-way', true, { kind: 'half' }],
  ['a redirect elsewhere', true, { kind: 'redirect', status: 307, location: 'https://other.example/v1' }],
];

describe('in a batch of six, one answer in it of no use', () => {
  it.each(useless)('%s ends neither the run nor what others say, and is named', async (_name, isAskedAgain, step) => {
    const { outcomes, episodes, facts: saved } = await recordBatch([step], 6);
    expect([episodes, saved.length]).toEqual([6, 10]);
    const [odd, others] = [outcomes.filter((_, at) => at % 6 === 2), outcomes.filter((_, at) => at % 6 !== 2)];
    expect(odd.map(({ failed }) => failed.length)).toEqual([1]);
    expect(odd.every(({ unread }) => unread === (isAskedAgain ? 1 : 0))).toBe(true);
    expect(others.every(({ failed, unread }) => failed.length + unread === 0)).toBe(true);
  });
});
