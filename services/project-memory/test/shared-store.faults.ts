import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { runServer, type StdioMemory, startOverStdio } from './support/server-process.ts';
import { findUnread, type StdioWriters, startStdioWriters } from './support/stdio-writers.ts';

const WRITES = toRounds(40, 1_000);
const KILLS = toRounds(2, 5);

/** The share of calls that were at least as fast, in milliseconds. */
function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
}

it.each([2, 5])('loses nothing acknowledged of %i processes that write, one after the other killed', async (count) => {
  const folder = await mkdtemp(join(tmpdir(), 'project-memory-shared-'));
  const dataDir = join(folder, 'data');
  const acknowledged = new Map<string, string>();
  const times: number[] = [];
  const errors: string[] = [];
  let unanswered = 0;
  const running = new Set<StdioMemory>();
  const all: { readonly client: StdioMemory; readonly writers: StdioWriters; readonly writes: number }[] = [];
  const start = async (name: string, writes: number): Promise<void> => {
    const client = await startOverStdio(dataDir);
    await client.call('mem.list_projects', {});
    running.add(client);
    all.push({ client, writers: startStdioWriters([client], name, writes), writes });
  };
  for (let at = 0; at < count; at += 1) await start(`first ${at}`, WRITES);
  for (let kill = 0; kill < KILLS; kill += 1) {
    for (const { client, writers } of all) if (running.has(client)) await writers.untilEach(WRITES / 20);
    const killed = all.find(({ client }) => running.has(client));
    if (killed === undefined) throw new Error('no process is left');
    process.kill(killed.client.pid, 'SIGKILL');
    running.delete(killed.client);
    await killed.writers.finished;
    // Another editor window goes on where the killed one ended.
    await start(`after ${kill}`, killed.writes - killed.writers.acknowledged.size);
  }
  for (const { client, writers } of all) {
    await writers.finished;
    for (const [id, content] of writers.acknowledged) acknowledged.set(id, content);
    times.push(...writers.times);
    if (running.has(client)) errors.push(...writers.failures.map(({ error }) => error));
    else unanswered += writers.failures.length;
  }
  const [reader] = running;
  const lost = await findUnread(reader, acknowledged);
  await Promise.all([...running].map(({ close }) => close()));
  const doctor = JSON.parse(
    (await runServer(['--doctor'], { PROJECT_MEMORY_DATA_DIR: dataDir, LOG_LEVEL: 'silent' })).stdout,
  );
  const slow = `p50 ${percentile(times, 0.5)} ms, p95 ${percentile(times, 0.95)} ms, longest ${percentile(times, 1)} ms`;
  process.stderr.write(
    `${count} processes, ${KILLS} kills: ${acknowledged.size} acknowledged, ${lost.length} lost, ` +
      `${errors.length} failed, ${unanswered} cut off with the killed, ${doctor.memories} stored; a call: ${slow}\n`,
  );
  expect({ lost, errors }).toEqual({ lost: [], errors: [] });
  expect(doctor).toMatchObject({ torn: [], broken: [], mended: [], pending: 0 });
  expect(doctor.memories).toBeGreaterThanOrEqual(acknowledged.size);
  await rm(folder, { recursive: true });
});
