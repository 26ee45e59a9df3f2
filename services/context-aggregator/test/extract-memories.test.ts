import { afterEach, describe, expect, it } from '@jest/globals';
import { type RunningAggregator, startAggregator } from './support/composition.ts';

const TOOL = 'extract_memories';
const ARGS = { conversation_history: 'Ann: 我喜欢绿茶\nBo: 真好' };

const fact = { content: '喜欢绿茶', importance: 7.5, memory_type: 'preference', tags: ['memory'] };
const ANSWER = {
  success: true,
  extractor: { kind: 'model', name: 'scripted' },
  memories: [fact],
  not_saved: [{ content: 'hm', importance: 1, reason: 'importance below 3' }],
  usage: { calls: 1, input_tokens: 310, output_tokens: 40 },
  failed: [{ source: 't1 7-12', reason: 'the model gave no readable answer' }],
};

let running: RunningAggregator | undefined;

async function start(script: Record<string, unknown>) {
  running = await startAggregator({
    servers: { 'memory-processor': { fixture: 'memory-processor', script: { answer: ANSWER, ...script } } },
    aggregator: { store_deadline_ms: 200_000 },
  });
  return running;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('extract_memories', () => {
  it('has the memory processor read the conversation, and answers as it did', async () => {
    const { client, calls } = await start({});
    const given = { ...ARGS, transcript_id: 't1', conversation_date: '2024-05-01' };
    const { isError, structured, text } = await client.callTool(TOOL, given);
    expect({ isError, structured }).toEqual({ isError: false, structured: ANSWER });
    expect(JSON.parse(text)).toEqual(ANSWER);
    expect(await calls('memory-processor')).toMatchObject([{ name: TOOL, args: given }]);
  });

  it('sends neither null nor what the tool does not take', async () => {
    const { client, calls } = await start({});
    await client.callTool(TOOL, { ...ARGS, transcript_id: null, user_id: 'ann' });
    expect((await calls('memory-processor')).map(({ args }) => args)).toEqual([ARGS]);
  });

  it('passes the progress on', async () => {
    const { client } = await start({ progress: [[1, 2, '1 of 2 pieces']] });
    const told: unknown[] = [];
    await client.client.callTool({ name: TOOL, arguments: ARGS }, { onprogress: (step) => told.push(step) });
    expect(told).toEqual([{ progress: 1, total: 2, message: '1 of 2 pieces' }]);
  });

  it.each([
    ['error', /^memory-processor could not process the conversation; [^\n]*"Name: words" lines[^\n]*$/],
    ['rubbish', /^memory-processor answered in a form that cannot be read\.$/],
  ])('is an error of one line, in our own words, when the memory processor fails (%s)', async (mode, message) => {
    const { client } = await start({ mode });
    const { isError, text } = await client.callTool(TOOL, ARGS);
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(message) });
  });

  it('says so when the composition has no memory processor', async () => {
    running = await startAggregator({ servers: {} });
    const text = 'memory-processor is not in the configuration.';
    expect(await running.client.callTool(TOOL, ARGS)).toMatchObject({ isError: true, text });
  });
});
