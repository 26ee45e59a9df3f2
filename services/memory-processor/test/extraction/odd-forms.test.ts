import type { Step } from '@contextloom/testing/llm';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { both, facts, HISTORY, lyon, say, work } from '../support/lyon.ts';
import { createKeptMemories } from '../support/memory-stores.ts';
import { type ScriptedModel, startScriptedModel, toAnswerText } from '../support/scripted-model.ts';

const running: ScriptedModel[] = [];
afterAll(async () => {
  await Promise.all(running.map(({ endpoint }) => endpoint.close()));
});

const body = (value: unknown, type = 'application/json'): Step => ({
  kind: 'body',
  status: 200,
  headers: { 'content-type': type },
  body: typeof value === 'string' ? value : JSON.stringify(value),
});
const saying = (content: unknown, finish = 'stop') => ({ finish_reason: finish, message: { content } });
const rename = (names: Readonly<Record<string, string>>) => ({
  memories: facts.map((fact) =>
    Object.fromEntries(Object.entries(fact).map(([name, value]) => [names[name] ?? name, value])),
  ),
});
const lines = facts.map((fact) => JSON.stringify(fact));
const chunks = (both.match(/[\s\S]{1,40}/gu) ?? []).map((content) => ({ choices: [{ delta: { content } }] }));
const events = [...chunks, { choices: [{ delta: {}, finish_reason: 'stop' }] }]
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .join('');

/** Answers that say both facts, in forms that endpoints and small models have been seen to answer in. */
const forms: readonly (readonly [name: string, ...steps: Step[]])[] = [
  ['a byte order mark', say(`\uFEFF${both}`)],
  ['a fence that does not end', say(`\`\`\`json\n${both}`)],
  ['a fence for each fact', say(lines.map((line) => `\`\`\`json\n${line}\n\`\`\``).join('\n'))],
  ['a numbered list of objects', say(lines.map((line, at) => `${at + 1}. ${line}`).join('\n'))],
  ['comments', say(both.replace('[', '[ // the facts\n').replace('},', '}, /* and */'))],
  ['NaN and Infinity', say(both.replace(/null/gu, 'NaN').replace('NaN', 'Infinity'))],
  ['a plus sign', say(both.replaceAll(':6', ':+6'))],
  ['curly quotes', say(both.replaceAll('"', '”'))],
  ['punctuation of Chinese', say(both.replaceAll('":', '"：').replaceAll(',"', '，"').replaceAll('},{', '}，{'))],
  ['keys in Chinese', say(rename({ content: '内容', evidence: '依据', importance: '重要性', tags: '标签' }))],
  ['keys in camel case', say(rename({ content: 'Content', evidence: 'Evidence', memory_type: 'memoryType' }))],
  ['JSON in a string of JSON', say(JSON.stringify(both))],
  ['JSON in JSON, twice', say(JSON.stringify(JSON.stringify(both)))],
  ['quotes that are escaped', say(both.replaceAll('"', '\\"'))],
  ['numbers as text', say({ memories: facts.map((fact) => ({ ...fact, importance: '6', emotional_valence: '0.5' })) })],
  [
    'null for what is not known',
    say(toAnswerText({ ...lyon, tags: null, memory_type: null }, { ...work, emotional_valence: null, tags: null })),
  ],
  ['each fact in an object of its own', say({ memories: facts.map((memory) => ({ memory })) })],
  ['the schema around it', say({ type: 'object', properties: { memories: facts } })],
  ['one bracket too many', say(`${both}]}`)],
  ['a list that does not close', say(both.slice(0, -2)), say({ memories: [] })],
  ['no choices, and choices when asked again', body({ choices: [] }), say(both)],
  ['no message, and one when asked again', body({ choices: [{ finish_reason: 'stop' }] }), say(both)],
  ['several choices, the first empty', body({ choices: [saying(''), saying(both)] })],
  ['choices in data', body({ code: 0, data: { choices: [saying(both)] } })],
  ['choices in output', body({ output: { choices: [saying(both)] } })],
  ['a message by itself', body({ model: 'm', message: { role: 'assistant', content: both }, done: true })],
  ['text instead of a message', body({ choices: [{ text: both, finish_reason: 'stop' }] })],
  ['events of a stream that nobody asked for', body(`: hello\n\n${events}data: [DONE]\n\n`, 'text/event-stream')],
  ['a page with success, and the answer when asked again', body('<html>busy</html>', 'text/html'), say(both)],
  ['an empty body, and the answer when asked again', body(''), say(both)],
  [
    'a body that is not packed as it says',
    { kind: 'body', status: 200, headers: { 'content-encoding': 'gzip' }, body: both },
    say(both),
  ],
  ['a key that it does not know', { kind: 'error', status: 400, param: 'temperature' }, say(both)],
  [
    'None and True, as Python writes them',
    say(both.replace(/null/gu, 'None').replace('{', "{'done': True, ").replaceAll('"', "'")),
  ],
  ['thoughts before and a word after', say(`<think>{"a": [1]} maybe</think>\nHere you are:\n${both}\nAnything else?`)],
  ['tags around it', say(`<answer>\n${both}\n</answer>`)],
  ['an example before it', say(`First I thought {"memories": []}, but then:\n\`\`\`JSON\n${both}\n\`\`\``)],
  ['its reasons next to it', say({ reasoning: 'Anna moved.', confidence: 0.9, memories: facts })],
  ['no error in a field', say({ error: null, status: 'ok', memories: facts })],
  [
    'lines within a text',
    say(both.replace('with her dog', 'with\nher dog').replace('4 March', '4\tMarch').replaceAll('\t', ' ')),
  ],
  ['a text in a list', say({ memories: facts.map((fact) => ({ ...fact, content: [fact['content']] })) })],
  ['a text in an object', say({ memories: facts.map((fact) => ({ ...fact, content: { text: fact['content'] } })) })],
  ['a kind in a list', say({ memories: facts.map((fact) => ({ ...fact, memory_type: ['event'] })) })],
  ['tags in an object', say({ memories: facts.map((fact) => ({ ...fact, tags: { a: 'x' } })) })],
  ['evidence in lists', say({ memories: facts.map((fact) => ({ ...fact, evidence: [fact['evidence']] })) })],
  [
    'evidence with the words',
    say(
      toAnswerText(
        { ...lyon, evidence: ['[1] Anna: I moved to Lyon yesterday'] },
        { ...work, evidence: ['3: Three. And'] },
      ),
    ),
  ],
  ['a time in an object', say({ memories: facts.map((fact) => ({ ...fact, occurred_at: { date: '2024-03-04' } })) })],
  ['texts by number', say({ memories: { 1: lyon.content, 2: work.content } })],
  ['a table of Markdown, and JSON when asked again', say(`| fact |\n| --- |\n| ${lyon.content} |`), say(both)],
  ['a list in prose, and JSON when asked again', say(`- ${lyon.content}\n- ${work.content}`), say(both)],
  ['entities of HTML', say(both.replaceAll('"', '&quot;'))],
  ['an unknown reason for the end', body({ choices: [saying(both, 'eos')] })],
];

async function become(steps: readonly Step[]) {
  const model = await startScriptedModel({ chat: steps });
  running.push(model);
  const memories = createKeptMemories();
  const processor = createMemoryProcessor({ memories, extractor: model.extractor });
  const outcome = await processor.processTranscript({ userId: 'anna', conversationHistory: HISTORY });
  const kept = [...memories.documents.values()];
  return { outcome, kept: kept.filter(({ tags }) => !tags.includes('episode')).map(({ content }) => content) };
}

describe('nothing that was paid for is lost of an answer with', () => {
  it.each(forms)('%s', async (_name, ...steps) => {
    const { outcome, kept } = await become(steps);
    expect(kept).toEqual([lyon.content, work.content]);
    expect(outcome).toMatchObject({ failed: [], notSaved: [], isComplete: true, unread: 0 });
  });

  it('facts that a filter breaks off: they are kept, and the piece is named', async () => {
    const { outcome, kept } = await become([body({ choices: [saying(both.slice(0, -30), 'content_filter')] })]);
    expect(kept).toEqual([lyon.content]);
    expect(outcome.failed).toEqual([expect.objectContaining({ reason: expect.stringMatching(/refused/u) })]);
  });
});
