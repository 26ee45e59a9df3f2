import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const jest = fileURLToPath(new URL('../../../node_modules/jest/bin/jest.js', import.meta.url));
const reporter = fileURLToPath(new URL('../plain-summary-reporter.mjs', import.meta.url));

/** Runs in this order, one after the other. */
const SUITES = {
  'a.test.js': "it('is sound', () => undefined); it('is wrong', () => { throw new Error('wrong'); });",
  'b.test.js': "it('hangs', () => { process.stderr.write('hanging'); return new Promise(() => undefined); });",
  'c.test.js': "it('is not reached', () => undefined);",
};
const SEQUENCER = `
const { default: Sequencer } = require(${JSON.stringify(fileURLToPath(new URL('../../../node_modules/@jest/test-sequencer', import.meta.url)))});
module.exports = class extends Sequencer { sort(tests) { return [...tests].sort((a, b) => (a.path < b.path ? -1 : 1)); } };
`;

it('names what hung and still counts when a run is cut off', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cut-off-'));
  const config = {
    rootDir: folder,
    reporters: ['default', reporter],
    testTimeout: 240_000,
    testSequencer: './sequencer.cjs',
  };
  const files = { ...SUITES, 'sequencer.cjs': SEQUENCER, 'jest.config.json': JSON.stringify(config) };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const child = spawn(process.execPath, [jest, '-i', '--config', join(folder, 'jest.config.json')], { cwd: folder });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
    if (stderr.includes('hanging')) child.kill('SIGTERM');
  });
  const [code] = await once(child, 'close');
  await rm(folder, { recursive: true });
  expect({ code, lines: stdout.trim().split('\n') }).toEqual({
    code: 1,
    lines: [
      'failed: a.test.js › is wrong: Error: wrong',
      'failed: b.test.js › had not ended when the run was cut off',
      'failed: the run was cut off, with 1 suites not begun',
      '1 passed, 2 failed',
    ],
  });
});
