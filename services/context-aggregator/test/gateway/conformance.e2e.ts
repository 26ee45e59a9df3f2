import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canRunConformance, failedScenarios, INSTALL_MS, installConformance } from '../support/conformance-suite.ts';
import { startHttpAggregator, waitForEnd } from '../support/server-process.ts';

const fixture = fileURLToPath(new URL('../fixtures/conformance-server.mjs', import.meta.url));
const RUN_MS = 300_000;

let folder: string;
let upstream: ChildProcess;
let url: string;

beforeAll(async () => {
  if (!canRunConformance) return;
  folder = await mkdtemp(join(tmpdir(), 'contextloom-conformance-'));
  await installConformance();
  upstream = spawn(process.execPath, [fixture, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: upstream.stdout as NodeJS.ReadableStream });
  url = await new Promise((resolve) =>
    lines.once('line', (line) => resolve((JSON.parse(line) as { url: string }).url)),
  );
}, INSTALL_MS);

afterAll(async () => {
  if (!canRunConformance) return;
  upstream.kill();
  await waitForEnd(upstream);
  await rm(folder, { recursive: true, force: true });
});

/** What the suite needs Node 22 of npm for: elsewhere than on linux-x64 it is skipped. */
const onLinux = canRunConformance ? describe : describe.skip;

onLinux('the protocol through the aggregator', () => {
  it.each([
    ['2025-11-25', 'stdio'],
    ['2025-11-25', 'HTTP'],
    ['2026-07-28', 'stdio'],
    ['2026-07-28', 'HTTP'],
  ])(
    'is as revision %s requires, with an upstream over %s',
    async (revision, way) => {
      const entry = way === 'stdio' ? { command: process.execPath, args: [fixture] } : { url };
      const file = join(folder, `${revision}-${way}.json`);
      const aggregator = { own_servers: [], expose: { fixture: { prefix: '' } } };
      await writeFile(file, JSON.stringify({ mcpServers: { fixture: entry }, aggregator }));
      const running = await startHttpAggregator(file);
      try {
        expect(await failedScenarios(`${running.url.href}/all`, revision)).toEqual([]);
      } finally {
        await running.stop();
      }
    },
    RUN_MS,
  );
});
