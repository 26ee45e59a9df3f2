import { afterEach, describe, expect, it } from '@jest/globals';
import { findClosedAddress } from './support/addresses.ts';
import { type CompositionOptions, type RunningAggregator, startAggregator } from './support/composition.ts';
import { barePersona, knowledgeBase, PERSONA_TEXT, toExpectedPrompt, toResult } from './support/scripts.ts';

const TOOL = 'build_prompt_with_context';
const ARGS = { persona_name: 'uozumi', user_id: 'ann', user_query: '茶' };
const UNREADABLE = 'answered in a form that cannot be read';

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
    ['ends at once', 'dead', 'ended before the MCP handshake; its log says why'],
    ['dies during the call', 'die', 'broke off'],
    ['answers with an error', 'error', 'answered with an error'],
    ['answers with a protocol error', 'rpc_error', 'refused the request'],
    ['answers rubbish', 'rubbish', UNREADABLE],
    ['answers JSON of another shape', 'wrong_shape', UNREADABLE],
    ['answers what is no tool result', 'bad_result', 'answered something that is not a result'],
  ])('%s', async (_name, mode, reason) => {
    const { client } = await start({ 'knowledge-base': knowledgeBase({ mode }) }, 200_000);
    expect(await client.callTool(TOOL, ARGS)).toMatchObject(toPartial(reason));
  });

  it.each([
    ['hangs during the call', { mode: 'hang' }, 'did not answer within 1000 ms'],
    ['hangs at its start', { mode: 'mute' }, 'did not finish the MCP handshake within 1000 ms'],
    ['writes rubbish instead of messages', { mode: 'no_protocol' }, 'did not answer within 1000 ms'],
    ['breaks off in the middle of a message', { mode: 'half_message' }, 'did not answer within 1000 ms'],
  ])('%s', async (_name, script, reason) => {
    const { client, warm } = await start({ 'knowledge-base': knowledgeBase(script) }, 1_000);
    if (script.mode !== 'mute') await warm('knowledge-base');
    expect(await client.callTool(TOOL, ARGS)).toMatchObject(toPartial(reason));
  });

  it('is not in the configuration', async () => {
    const { client } = await start({}, 200_000);
    expect(await client.callTool(TOOL, ARGS)).toMatchObject(toPartial('is not in the configuration'));
  });

  it('cannot be started', async () => {
    const { client } = await start({ 'knowledge-base': { command: 'contextloom-no-such-command' } }, 200_000);
    const reason = 'cannot be started: there is no such program or folder (its "command" and "cwd")';
    expect(await client.callTool(TOOL, ARGS)).toMatchObject(toPartial(reason));
  });

  it('is an address where nobody listens', async () => {
    const { client } = await start({ 'knowledge-base': { url: await findClosedAddress() } }, 200_000);
    expect(await client.callTool(TOOL, ARGS)).toMatchObject(
      toPartial('cannot be reached: nothing listens at its address'),
    );
  });

  it('says itself what is wrong', async () => {
    const { client, logged } = await start({ 'knowledge-base': knowledgeBase({ mode: 'own_error' }) }, 200_000);
    expect(await client.callTool(TOOL, ARGS)).toMatchObject(toPartial('the model cannot be reached'));
    await logged('knowledge-base', 'the model cannot be reached');
  });

  it.each([
    ["only other users' documents", { user_id: 'bob' }],
    ['only documents without a user', { user_id: null }],
  ])('returns %s', async (_name, metadata) => {
    const { client } = await start(
      { 'knowledge-base': knowledgeBase({ results: [toResult('x', metadata)] }) },
      200_000,
    );
    const reason = "returned only documents that are not marked as this user's";
    expect(await client.callTool(TOOL, ARGS)).toMatchObject(toPartial(reason));
  });
});

describe('a knowledge base that recovers', () => {
  it('brings its memories at a later call when it was only slow to start', async () => {
    const { client, warm } = await start({ 'knowledge-base': knowledgeBase({ delayMs: 3_000 }) }, 1_000);
    expect(await client.callTool(TOOL, ARGS)).toMatchObject(
      toPartial('did not finish the MCP handshake within 1000 ms'),
    );
    await warm('knowledge-base');
    // Either server may be late again on a machine that is busy.
    let later = await client.callTool(TOOL, ARGS);
    while (later.isError || later.text === PERSONA_TEXT) later = await client.callTool(TOOL, ARGS);
    expect(later.text).toBe(toExpectedPrompt(['喜欢绿茶']));
  });

  it('is not disturbed by log lines on its standard output', async () => {
    const { client } = await start({ 'knowledge-base': knowledgeBase({ mode: 'noisy' }) }, 200_000);
    expect((await client.callTool(TOOL, ARGS)).text).toBe(toExpectedPrompt(['喜欢绿茶']));
  });
});
