import { afterEach, describe, expect, it } from '@jest/globals';
import { type CompositionOptions, type RunningAggregator, startAggregator } from './support/composition.ts';
import { barePersona, knowledgeBase, PERSONA_TEXT, toExpectedPrompt, toResult } from './support/scripts.ts';

const TOOL = 'build_prompt_with_context';
const ARGS = { persona_name: 'uozumi', user_id: 'ann', user_query: '茶' };
const UNAVAILABLE = 'could not be started or reached, or broke off';
const UNREADABLE = 'refused the call, or answered in a form that cannot be read';

let running: RunningAggregator | undefined;

/** The persona is started beforehand where the deadline is short: only the knowledge base is to be late. */
async function start(servers: CompositionOptions['servers'], deadlineMs: number) {
  running = await startAggregator({
    servers: { 'persona-uozumi': barePersona(), ...servers },
    aggregator: { source_deadline_ms: deadlineMs },
  });
  await running.warm('persona-uozumi');
  return running;
}

function toPartial(reason: string) {
  const sources = [
    { server: 'persona-uozumi', status: 'ok' },
    { server: 'knowledge-base', status: 'failed', reason },
  ];
  return { isError: false, text: PERSONA_TEXT, structured: { prompt: PERSONA_TEXT, status: 'partial', sources } };
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('the persona prompt arrives alone, and the answer says what is missing, when the knowledge base', () => {
  it.each([
    ['ends at once', 'dead', UNAVAILABLE],
    ['dies during the call', 'die', UNAVAILABLE],
    ['answers with an error', 'error', 'answered with an error'],
    ['answers with a protocol error', 'rpc_error', UNREADABLE],
    ['answers rubbish', 'rubbish', UNREADABLE],
    ['answers JSON of another shape', 'wrong_shape', UNREADABLE],
    ['answers what is no tool result', 'bad_result', UNREADABLE],
  ])('%s', async (_name, mode, reason) => {
    const { client } = await start({ 'knowledge-base': knowledgeBase({ mode }) }, 20_000);
    expect(await client.callTool(TOOL, ARGS)).toEqual(toPartial(reason));
  });

  it.each([
    ['hangs during the call', { mode: 'hang' }],
    ['hangs at its start', { mode: 'mute' }],
    ['writes rubbish instead of messages', { mode: 'no_protocol' }],
    ['breaks off in the middle of a message', { mode: 'half_message' }],
  ])('%s', async (_name, script) => {
    const { client } = await start({ 'knowledge-base': knowledgeBase(script) }, 1_000);
    expect(await client.callTool(TOOL, ARGS)).toEqual(toPartial('did not answer within 1000 ms'));
  });

  it('is not in the configuration', async () => {
    const { client } = await start({}, 20_000);
    expect(await client.callTool(TOOL, ARGS)).toEqual(toPartial('is not in the configuration'));
  });

  it('cannot be started', async () => {
    const { client } = await start({ 'knowledge-base': { command: 'contextloom-no-such-command' } }, 20_000);
    expect(await client.callTool(TOOL, ARGS)).toEqual(toPartial(UNAVAILABLE));
  });

  it('is an address where nobody listens', async () => {
    const { client } = await start({ 'knowledge-base': { url: 'http://127.0.0.1:9/mcp' } }, 20_000);
    expect(await client.callTool(TOOL, ARGS)).toEqual(toPartial(UNAVAILABLE));
  });

  it.each([
    ["only other users' documents", { user_id: 'bob' }],
    ['only documents without a user', { user_id: null }],
  ])('returns %s', async (_name, metadata) => {
    const { client } = await start({ 'knowledge-base': knowledgeBase({ results: [toResult('x', metadata)] }) }, 20_000);
    const reason = "returned only documents that are not marked as this user's";
    expect(await client.callTool(TOOL, ARGS)).toEqual(toPartial(reason));
  });
});

describe('a knowledge base that recovers', () => {
  it('brings its memories at a later call when it was only slow to start', async () => {
    const { client, warm } = await start({ 'knowledge-base': knowledgeBase({ delayMs: 3_000 }) }, 1_000);
    expect(await client.callTool(TOOL, ARGS)).toEqual(toPartial('did not answer within 1000 ms'));
    await warm('knowledge-base');
    expect((await client.callTool(TOOL, ARGS)).text).toBe(toExpectedPrompt(['喜欢绿茶']));
  });

  it('is not disturbed by log lines on its standard output', async () => {
    const { client } = await start({ 'knowledge-base': knowledgeBase({ mode: 'noisy' }) }, 20_000);
    expect((await client.callTool(TOOL, ARGS)).text).toBe(toExpectedPrompt(['喜欢绿茶']));
  });
});
