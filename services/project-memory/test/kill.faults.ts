import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { runServer, startOverHttp } from './support/server-process.ts';

const ROUNDS = 8;
const WRITERS = 6;

const content = (at: number): string =>
  Array.from(
    { length: 40 },
    (_, line) => `Note ${at}, line ${line}: the tide table of month ${at * line}. 潮汐表。`,
  ).join('\n\n');

/** Writes until the server is gone, and notes what it acknowledged. */
async function write(url: string, from: number, acknowledged: Map<string, string>): Promise<void> {
  for (let at = from; ; at += WRITERS) {
    const body = JSON.stringify({ project_name: `p${at % 3}`, content_type: 'testing', content: content(at) });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/ingest/memory`, { method: 'POST', headers, body })
      .then((response) => response.json() as Promise<{ id: string }>)
      .catch(() => undefined);
    if (answer === undefined) return;
    acknowledged.set(answer.id, content(at));
  }
}

it('loses nothing that was acknowledged, and keeps nothing by halves, when it is killed in the middle of ingests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'project-memory-kill-'));
  const env = { PROJECT_MEMORY_DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info' };
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { url, child } = await startOverHttp(env);
    const before = acknowledged.size;
    const writers = Array.from({ length: WRITERS }, (_, at) => write(url, round * 10_000 + at, acknowledged));
    while (acknowledged.size < before + 5) await sleep(20);
    // Somewhere inside the next writes.
    await sleep(Math.random() * 200);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await Promise.all([ended, ...writers]);
  }
  const report = JSON.parse((await runServer(['--doctor'], env)).stdout);
  expect(report).toMatchObject({ torn: [], broken: [], mended: [], pending: 0 });
  expect(report.memories).toBeGreaterThanOrEqual(acknowledged.size);
  const { url, close } = await startOverHttp(env);
  for (const [id, text] of acknowledged) {
    const answer = (await (await fetch(`${url}/memories?ids=${id}`)).json()) as { results: unknown[] };
    expect(answer.results).toMatchObject([{ id, content: text }]);
  }
  await close();
  await rm(folder, { recursive: true });
});
