import { afterEach, describe, expect, it } from '@jest/globals';
import { type RunningAggregator, startAggregator } from './support/composition.ts';

const JOB = {
  job_id: 'job-1',
  kind: 'store_conversation',
  state: 'failed',
  progress: { done: 1, total: 3 },
  attempts: 2,
  created_at: '2026-05-01T10:00:00.000Z',
  next_attempt_at: '2026-05-01T10:00:20.000Z',
  reason: 'the knowledge base did not answer',
};
const CALLS = [
  ['get_job', { job_id: 'job-1' }, JOB],
  ['list_jobs', { user_id: 'ann', state: 'failed', limit: 5 }, { jobs: [JOB] }],
  ['retry_job', { user_id: 'ann', job_id: 'job-1' }, { ...JOB, state: 'queued' }],
  ['cancel_job', { user_id: 'ann', job_id: 'job-1' }, { ...JOB, state: 'cancelled' }],
] as const;

let running: RunningAggregator | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function start(script: Record<string, unknown>) {
  running = await startAggregator({
    servers: { 'memory-processor': { fixture: 'memory-processor', script } },
    aggregator: { source_deadline_ms: 200_000, store_deadline_ms: 200_000 },
  });
  return running;
}

describe.each(CALLS)('%s', (tool, args, answer) => {
  it('asks the memory processor, and answers as it did', async () => {
    const { client, calls } = await start({ answer });
    const { isError, structured } = await client.callTool(tool, { ...args, unknown: 1 });
    expect({ isError, structured }).toEqual({ isError: false, structured: answer });
    expect(await calls('memory-processor')).toMatchObject([{ name: tool, args }]);
  });

  it('passes on what the memory processor says is wrong', async () => {
    const failure = { code: 'not_found', message: 'there is no job "job-1" of this user', field: 'job_id' };
    const { client } = await start({ mode: 'error', failure });
    expect(await client.callTool(tool, args)).toMatchObject({ isError: true, text: failure.message });
  });
});
