import { afterEach, describe, expect, it } from '@jest/globals';
import { type RunningAggregator, type Scripted, startAggregator } from './support/composition.ts';
import { barePersona, knowledgeBase, PERSONA_TEXT, toExpectedPrompt, toResult } from './support/scripts.ts';

const TOOL = 'build_prompt_with_context';
const ARGS = { persona_name: 'uozumi', user_id: 'ann', user_query: '茶' };
const NAMED = { ...ARGS, user_name: '小李', char_name: 'Uo' };

let running: RunningAggregator | undefined;

async function start(persona: Scripted, more: Readonly<Record<string, Scripted>> = {}) {
  running = await startAggregator({
    servers: { 'persona-uozumi': persona, 'knowledge-base': knowledgeBase(), ...more },
    aggregator: { source_deadline_ms: 200_000 },
  });
  return running;
}

function v1Persona(text: string, names: readonly string[]): Scripted {
  return { fixture: 'persona-v1', script: { persona: 'uozumi', text, arguments: names } };
}

function promptPersona(prompt: string): Scripted {
  return { fixture: 'persona-prompt', script: { persona: 'uozumi', text: PERSONA_TEXT, prompt } };
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('a persona server', () => {
  it('on the 1.x SDK that refuses unknown and null arguments works as it is', async () => {
    const { client, calls } = await start(v1Persona(PERSONA_TEXT, []));
    expect((await client.callTool(TOOL, { ...NAMED, char_name: null })).text).toBe(toExpectedPrompt(['喜欢绿茶']));
    expect(await calls('persona-uozumi')).toMatchObject([{ args: {} }]);
  });

  it.each([
    [['user', 'char'], { user: '小李', char: 'Uo' }],
    [['user_name', 'char_name'], { user_name: '小李', char_name: 'Uo' }],
  ])('that declares %j is told the names under these', async (declared, args) => {
    const { client, calls } = await start(v1Persona(PERSONA_TEXT, declared));
    expect((await client.callTool(TOOL, NAMED)).isError).toBe(false);
    expect((await client.callTool(TOOL, ARGS)).isError).toBe(false);
    expect((await calls('persona-uozumi')).map((call) => call.args)).toEqual([args, {}]);
  });

  it.each([['get_uozumi_system_prompt'], ['uozumi']])(
    'that only offers an MCP prompt named %s serves too',
    async (name) => {
      const { client, calls } = await start(promptPersona(name));
      expect((await client.callTool(TOOL, NAMED)).text).toBe(toExpectedPrompt(['喜欢绿茶']));
      expect((await calls('persona-uozumi')).map((call) => call.args)).toEqual([{ user: '小李' }]);
    },
  );

  const hostile = '---\r\n\r\n---\n\n{{user}} {0} %s $& $1 $` $\' $$ \\n </s> "quotes" \u2028\u2029\u0000\t🍵\r\n';
  const long = `${'你是鱼住，一位安静的茶师。'.repeat(2_800)}\r\n`;

  it.each([
    ['hostile characters, no SDK', barePersona({ text: hostile }), hostile],
    ['hostile characters, 1.x SDK', v1Persona(hostile, []), hostile],
    ['100 KB of Chinese, no SDK', barePersona({ text: long }), long],
    ['100 KB of Chinese, 1.x SDK', v1Persona(long, []), long],
  ])('has its text passed on byte for byte: %s', async (_name, persona, text) => {
    const { client } = await start(persona);
    const answer = await client.callTool(TOOL, ARGS);
    expect(answer.text).toBe(toExpectedPrompt(['喜欢绿茶'], text));
    expect(answer.structured).toMatchObject({ prompt: answer.text, status: 'complete' });
  });

  it('that was killed between two calls is started again, and so is the knowledge base', async () => {
    const { client, calls, logged } = await start(barePersona());
    const expected = toExpectedPrompt(['喜欢绿茶']);
    expect((await client.callTool(TOOL, ARGS)).text).toBe(expected);
    for (const server of ['persona-uozumi', 'knowledge-base']) {
      process.kill((await calls(server))[0]?.pid ?? 0, 'SIGKILL');
      await logged(server, 'connection lost');
    }
    expect((await client.callTool(TOOL, ARGS)).text).toBe(expected);
    for (const server of ['persona-uozumi', 'knowledge-base']) {
      const pids = (await calls(server)).map(({ pid }) => pid);
      expect(new Set(pids).size).toBe(2);
    }
  });

  it('is kept open from call to call', async () => {
    const { client, calls } = await start(barePersona());
    for (const _round of [1, 2, 3]) await client.callTool(TOOL, ARGS);
    expect(new Set((await calls('persona-uozumi')).map(({ pid }) => pid)).size).toBe(1);
  });
});

describe('a persona that cannot be had', () => {
  const marlow = { 'persona-marlow': barePersona({ persona: 'marlow' }) };
  const NAMES = 'the personas there are: marlow, uozumi';

  it('is an error that lists the personas there are when it is unknown', async () => {
    const { client, calls } = await start(barePersona(), marlow);
    expect(await client.callTool(TOOL, { ...ARGS, persona_name: 'nobody' })).toEqual({
      isError: true,
      text: `there is no persona "nobody"; ${NAMES}`,
      structured: undefined,
    });
    expect(await calls('knowledge-base')).toEqual([]);
  });

  it.each([
    ['answers with an error', barePersona({ mode: 'error' }), 'answered with an error'],
    ['answers without a text', barePersona({ mode: 'empty' }), 'answered without a text'],
    ['has no such tool', barePersona({ persona: 'other' }), 'offers no get_uozumi_system_prompt'],
    ['has no such prompt', promptPersona('other'), 'offers no get_uozumi_system_prompt'],
  ])('is an error that lists the personas when its server %s', async (_name, persona, reason) => {
    const { client } = await start(persona, marlow);
    const answer = await client.callTool(TOOL, ARGS);
    expect(answer).toMatchObject({ isError: true, text: `persona-uozumi ${reason}; ${NAMES}.` });
  });

  it('is an error without waiting for the memories when its server does not start', async () => {
    running = await startAggregator({
      servers: {
        'persona-uozumi': { command: 'contextloom-no-such-command' },
        'knowledge-base': knowledgeBase({ mode: 'hang', results: [toResult('x')] }),
      },
      aggregator: { source_deadline_ms: 600_000 },
    });
    const answer = await running.client.callTool(TOOL, ARGS);
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(
      /^persona-uozumi cannot be started: there is no such program [^\n]*; the personas there are: uozumi\.$/,
    );
  });

  it('is an error that names the deadline when its server hangs', async () => {
    running = await startAggregator({
      servers: { 'persona-uozumi': barePersona({ mode: 'hang' }), 'knowledge-base': knowledgeBase() },
      aggregator: { source_deadline_ms: 1_000 },
    });
    await running.warm('persona-uozumi');
    const answer = await running.client.callTool(TOOL, ARGS);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('persona-uozumi did not answer within 1000 ms; the personas there are: uozumi.');
  });

  it('is an error that says how to add one when there are none', async () => {
    running = await startAggregator({ servers: { 'knowledge-base': knowledgeBase() } });
    const answer = await running.client.callTool(TOOL, ARGS);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('"persona-<name>"');
  });
});
