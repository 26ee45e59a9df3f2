import type { Step } from '@contextloom/llm/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { createKeptMemories } from '../support/memory-stores.ts';
import { type ScriptedModel, startScriptedModel, toAnswerText, toMemory } from '../support/scripted-model.ts';

const running: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ endpoint }) => endpoint.close()));
});

const HISTORY = `# 2024-03-05
Anna: I moved to Lyon yesterday with my dog Rex.
Ben: Wow! How many rooms?
Anna: Three. And I start at the hospital on Monday.
Ben: Good luck!`;
const lyon = { content: 'Anna moved to Lyon on 4 March 2024 with her dog Rex.', evidence: ['1'] };
const work = { content: 'Anna starts at the hospital on Monday, 11 March 2024.', evidence: ['3'] };
const say = (value: unknown): Step => ({
  kind: 'answer',
  text: typeof value === 'string' ? value : JSON.stringify(value),
});
const message = (fields: object, finish = 'stop'): Step => ({
  kind: 'rubbish',
  body: JSON.stringify({ choices: [{ finish_reason: finish, message: { content: null, ...fields } }] }),
});
const both = toAnswerText(lyon, work);
const facts = [toMemory(lyon), toMemory(work)];
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
    episodes: kept.filter(({ tags }) => tags.includes('episode')),
  };
}

describe('nothing that was paid for is lost of', () => {
  it.each(bothSaid)('%s', async (_name, ...steps) => {
    const { outcome, facts: kept, episodes } = await become(steps);
    expect(kept.map(({ content }) => content)).toEqual([lyon.content, work.content]);
    expect(outcome).toMatchObject({ failed: [], notSaved: [], isComplete: true });
    expect(episodes).toHaveLength(1);
  });

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

describe('one odd answer in a batch of thirty', () => {
  const odd: readonly (readonly [string, Step])[] = [
    ['a refusal', { kind: 'refusal', text: 'no' }],
    ['a content filter', { kind: 'error', status: 400, code: 'content_filter' }],
    ['a request that is too long', { kind: 'error', status: 413 }],
    ['no JSON', say('?')],
    ['the wrong body', { kind: 'body', status: 500, body: '<html>' }],
    ['a broken connection', { kind: 'cut' }],
  ];
  it.each(odd)('%s ends neither the run nor what others say', async (_name, step) => {
    const model = await startScriptedModel({
      concurrency: 4,
      chat: ({ body }) =>
        String(body.messages?.[1]?.content).includes('Lyon 7.') ? step : say(toAnswerText({ content: 'Anna moved.' })),
    });
    running.push(model);
    const memories = createKeptMemories();
    const processor = createMemoryProcessor({ memories, extractor: model.extractor });
    for (let number = 1; number <= 30; number += 1) {
      const conversationHistory = `Anna: I moved to Lyon ${number}.`;
      await processor.processTranscript({ userId: `user ${number}`, conversationHistory, transcriptId: `t${number}` });
    }
    const kept = [...memories.documents.values()];
    expect(kept.filter(({ tags }) => tags.includes('episode'))).toHaveLength(30);
    expect(kept.filter(({ tags }) => !tags.includes('episode'))).toHaveLength(29);
  });
});
