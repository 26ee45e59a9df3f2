import { afterEach, describe, expect, it } from '@jest/globals';
import { toRecentWords, toSearchQuery } from '../src/domain/context-sources/conversation.ts';
import { fillWithin, shorten } from '../src/domain/context-sources/fill-within.ts';
import { type RunningAggregator, startAggregator } from './support/composition.ts';
import { barePersona, knowledgeBase, toResult } from './support/scripts.ts';

const TOOL = 'build_prompt_with_context';
const ARGS = { persona_name: 'uozumi', user_id: 'ann', user_query: 'And for Ros?' };
const CONVERSATION = [
  { role: 'system', content: 'You are a baker.' },
  { role: 'user', content: 'What should I not bake with for Kit?' },
  { role: 'assistant', content: 'Walnuts: Kit is allergic to them.' },
];

let running: RunningAggregator | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function startWith(results: readonly unknown[]): Promise<RunningAggregator> {
  running = await startAggregator({
    servers: { 'persona-uozumi': barePersona(), 'knowledge-base': knowledgeBase({ results }) },
    aggregator: { source_deadline_ms: 200_000 },
  });
  return running;
}

describe('a question that follows on what was said', () => {
  it.each([
    ['turns', CONVERSATION],
    ['text', 'Ann: What should I not bake with for Kit?\nMarlow: Walnuts: Kit is allergic to them.'],
    ['JSON', JSON.stringify(CONVERSATION)],
  ])('is searched for alone and with the last turns, given as %s', async (_form, conversation) => {
    const { client, calls } = await startWith([toResult('喜欢绿茶')]);
    await client.callTool(TOOL, { ...ARGS, conversation });
    expect((await calls('knowledge-base')).map(({ args }) => args['query']).sort()).toEqual([
      'And for Ros?',
      'What should I not bake with for Kit?\nWalnuts: Kit is allergic to them.\nAnd for Ros?',
    ]);
  });

  it('is searched for once where nothing was said, and a greeting stays one', async () => {
    const { client, calls } = await startWith([toResult('喜欢绿茶')]);
    await client.callTool(TOOL, ARGS);
    await client.callTool(TOOL, { ...ARGS, user_query: 'Thanks!', conversation: CONVERSATION });
    expect((await calls('knowledge-base')).map(({ args }) => args['query'])).toEqual(['And for Ros?', 'Thanks!']);
  });

  it('takes the last six turns, what is said of each in short, and "and then?" too', () => {
    const turns = Array.from({ length: 9 }, (_, at) => ({ role: 'user', content: `${at} ${'x'.repeat(1_000)}` }));
    const lines = toRecentWords(turns).split('\n');
    expect(lines.map((line) => line.slice(0, 1))).toEqual(['3', '4', '5', '6', '7', '8']);
    expect(Math.max(...lines.map((line) => line.length))).toBe(400);
    expect(toSearchQuery('And then?', 'walnuts', [])).toBe('walnuts\nAnd then?');
    expect(toSearchQuery('And then?', '', [])).toBeUndefined();
  });
});

describe('a question longer than a tool takes', () => {
  const schemas = { query: { type: 'string', maxLength: 40 }, user: { type: 'string', maxLength: 3 } };

  it('is shortened for it by its middle; who asks never is', () => {
    const user_query = `${'start '.repeat(400)}${'😀'.repeat(400)} the end`;
    const template = { query: 'about {{user_query}}', user: '{{user_id}}', days: 2 };
    const { query, ...rest } = fillWithin(template, { user_id: 'annette', user_query }, schemas);
    expect([...String(query)]).toHaveLength(40);
    expect(query).toMatch(/^about start .* … .*the end$/u);
    expect(rest).toEqual({ user: 'annette', days: 2 });
  });

  it('stays as it is where it is short enough, or nothing is said of lengths', () => {
    expect(fillWithin({ query: '{{user_query}}' }, { user_query: 'short' }, schemas)).toEqual({ query: 'short' });
    const long = 'x'.repeat(5_000);
    expect(fillWithin({ query: '{{user_query}}' }, { user_query: long })).toEqual({ query: long });
    expect([shorten('abcdef', 6), shorten('abcdef', 3), shorten('abcdef', 0)]).toEqual(['abcdef', 'abc', '']);
  });
});
