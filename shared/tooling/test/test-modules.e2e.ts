import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

/** Listens for the runner's data only after it came, as a worker that starts more slowly than the others. */
const SLOW_WORKER = `
process.once('message', () => setImmediate(() => process.on('message', (message) => process.send({ heard: message.workerData }))));
`;

it('tells a worker the data that the runner sent before it listened', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'test-modules-'));
  const path = join(folder, 'worker.mjs');
  await writeFile(path, SLOW_WORKER);
  const modules = new URL('../test-modules.mjs', import.meta.url);
  const child = fork(path, { execArgv: ['--import', modules.href] });
  child.send({ type: 'jest-light-runner-worker-data', workerData: 7 });
  expect(await once(child, 'message')).toEqual([{ heard: 7 }, undefined]);
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
  await rm(folder, { recursive: true });
});
