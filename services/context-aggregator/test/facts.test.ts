import { afterEach, describe, expect, it } from '@jest/globals';
import { type RunningAggregator, startAggregator } from './support/composition.ts';

const DECISION = {
  id: 'decision-1',
  relation: 'replaces',
  fact: 'Ann lives in Lyon.',
  known: 'Ann lives in Bonn.',
  evidence: 't1 3',
  decided_by: 'scripted',
  prompt_version: '1',
  decided_at: '2024-05-01T00:00:00.000Z',
};
const FACT = { id: 'fact-1', content: '安住在里昂。', said_at: '2024-05-01T00:00:00.000Z', mentions: 2 };

const CALLS = [
  ['list_facts', { user_id: 'ann', as_of: '2024-05-01', include_superseded: true }, { success: true, facts: [FACT] }],
  ['list_decisions', { user_id: 'ann' }, { success: true, decisions: [DECISION] }],
  ['undo_decision', { user_id: 'ann', decision_id: 'decision-1' }, { success: true, decision: DECISION }],
] as const;

let running: RunningAggregator | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function start(script: Record<string, unknown>, deadlineMs = 200_000) {
  running = await startAggregator({
    servers: { 'memory-processor': { fixture: 'memory-processor', script } },
    aggregator: { source_deadline_ms: deadlineMs, store_deadline_ms: 200_000 },
  });
  return running;
}

describe.each(CALLS)('%s', (tool, args, answer) => {
  it('asks the memory processor for the user that is named, and answers as it did', async () => {
    const { client, calls } = await start({ answer });
    const { isError, structured, text } = await client.callTool(tool, { ...args, unknown: 1 });
    expect({ isError, structured }).toEqual({ isError: false, structured: answer });
    expect(JSON.parse(text)).toEqual(answer);
    expect(await calls('memory-processor')).toMatchObject([{ name: tool, args }]);
  });

  it('is refused without a user', async () => {
    const { client } = await start({ answer });
    const { isError, text } = await client.callTool(tool, { ...args, user_id: null });
    expect([isError, text]).toEqual([true, expect.stringMatching(/^user_id is required/)]);
  });

  it.each([
    ['error', /^memory-processor [^\n]+\.$/],
    ['rubbish', /^memory-processor answered in a form that cannot be read\.$/],
  ])('is an error of one line, in our own words, when the memory processor fails (%s)', async (mode, message) => {
    const { client } = await start({ mode });
    const { isError, text } = await client.callTool(tool, args);
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(message) });
    expect(text).not.toMatch(/ignore|conversation/);
  });
});

describe('tools about facts', () => {
  it('end with an error at the deadline of short questions', async () => {
    const { client, warm } = await start({ mode: 'hang' }, 600);
    await warm('memory-processor');
    const { isError, text } = await client.callTool('list_facts', { user_id: 'ann' });
    expect([isError, text]).toEqual([true, expect.stringContaining('did not answer within 600 ms')]);
  });

  it('pass on that a decision is not one of the user', async () => {
    const failure = { code: 'not_found', message: 'there is no decision "d" of this user', field: 'decision_id' };
    const { client } = await start({ mode: 'error', failure });
    const { isError, text } = await client.callTool('undo_decision', { user_id: 'bo', decision_id: 'd' });
    expect([isError, text]).toEqual([true, failure.message]);
  });
});
