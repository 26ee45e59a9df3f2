import { afterEach, expect, it } from '@jest/globals';
import { type RunningAggregator, startAggregator } from './support/composition.ts';
import { barePersona, knowledgeBase } from './support/scripts.ts';

let running: RunningAggregator | undefined;
afterEach(() => running?.close());

it('names in the receipt every server that did not answer, cannot forget, or is of others', async () => {
  running = await startAggregator({
    servers: {
      'knowledge-base': knowledgeBase({ total: 0 }),
      'memory-processor': { command: 'contextloom-no-such-command' },
      notes: barePersona(),
    },
    aggregator: { source_deadline_ms: 200_000, own_servers: ['knowledge-base', 'memory-processor'] },
  });
  const { structured } = await running.client.callTool('forget_user', { user_id: 'zelda', dry_run: false });
  expect(structured).toMatchObject({
    dry_run: false,
    total: 0,
    unreached: [
      { server: 'knowledge-base', why: expect.stringContaining('no tool that forgets users') },
      { server: 'memory-processor', why: expect.stringContaining('cannot be started') },
      { server: 'notes', why: expect.stringContaining('not a server of this product') },
    ],
  });
  expect(JSON.stringify(structured)).not.toContain('zelda');
  expect((await running.calls('notes')).filter(({ args }) => JSON.stringify(args).includes('zelda'))).toEqual([]);
});
