import { localPrincipal } from '@contextloom/access';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isListedInApp, operations } from '../src/operations/index.ts';
import { type RunningAggregator, startAggregator, writeComposition } from './support/composition.ts';
import { startHttpAggregator } from './support/server-process.ts';

let running: RunningAggregator | undefined;
afterEach(() => running?.close());

describe('get_service_status', () => {
  it('does not call a server running that was killed after it had answered', async () => {
    const empty = await writeComposition({ servers: {} });
    const endpoint = await startHttpAggregator(empty.file);
    running = await startAggregator({
      servers: { 'knowledge-base': { url: endpoint.url.href } },
      aggregator: { source_deadline_ms: 200_000 },
    });
    const { client } = running;
    const ask = async () => (await client.callTool('get_service_status')).structured;
    const shown = operations.filter(({ name }) => isListedInApp(name, localPrincipal));
    expect(await ask()).toMatchObject({
      status: 'running',
      components: { 'knowledge-base': { tools: shown.length } },
    });
    await endpoint.kill();
    await empty.remove();
    const reason = 'cannot be reached: nothing listens at its address';
    expect(await ask()).toMatchObject({
      status: 'down',
      components: { 'knowledge-base': { status: 'unavailable', reason } },
    });
  });
});
