import { afterEach, describe, expect, it } from '@jest/globals';
import { type CompositionOptions, type RunningAggregator, startAggregator } from './support/composition.ts';
import { barePersona, knowledgeBase } from './support/scripts.ts';

let running: RunningAggregator | undefined;

async function start(servers: CompositionOptions['servers'], deadlineMs: number) {
  running = await startAggregator({ servers, aggregator: { source_deadline_ms: deadlineMs } });
  return running;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('get_service_status', () => {
  it('says that every server of the composition runs, and how many tools it has', async () => {
    const script = { persona: 'marlow', prompt: 'marlow', text: 'x' };
    const { client } = await start(
      {
        'persona-uozumi': barePersona(),
        'persona-marlow': { fixture: 'persona-prompt', script },
        'knowledge-base': knowledgeBase({ total: 0 }),
      },
      20_000,
    );
    expect(await client.callTool('get_service_status')).toMatchObject({
      isError: false,
      structured: {
        service: 'context-aggregator',
        status: 'running',
        components: {
          'persona-uozumi': { status: 'running', tools: 1 },
          'persona-marlow': { status: 'running', tools: 0 },
          'knowledge-base': { status: 'running', tools: 2 },
        },
      },
    });
  });

  it('is an answer, not an error, when servers are dead, hang or cannot be reached', async () => {
    const { client, warm } = await start(
      {
        'persona-uozumi': barePersona(),
        'persona-marlow': { command: 'contextloom-no-such-command' },
        'knowledge-base': knowledgeBase({ mode: 'mute' }),
        'memory-processor': { url: 'http://127.0.0.1:9/mcp' },
      },
      1_000,
    );
    await warm('persona-uozumi');
    const unavailable = { status: 'unavailable', reason: 'could not be started or reached, or broke off' };
    expect(await client.callTool('get_service_status', {})).toMatchObject({
      isError: false,
      structured: {
        status: 'degraded',
        components: {
          'persona-uozumi': { status: 'running', tools: 1 },
          'persona-marlow': unavailable,
          'knowledge-base': { status: 'unavailable', reason: 'did not answer within 1000 ms' },
          'memory-processor': unavailable,
        },
      },
    });
  });
});
