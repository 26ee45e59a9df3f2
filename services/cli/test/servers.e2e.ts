import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeTestComposition } from './fixtures/composition.ts';
import { runCli } from './fixtures/run-cli.ts';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-servers-'));
  file = await writeTestComposition(folder);
});
afterAll(() => rm(folder, { recursive: true }));

it('starts one server, and lists its tools with the times', async () => {
  const { code, stdout } = await runCli(['--config', file, 'servers', 'test', 'persona-marlow', '--json']);
  expect(code).toBe(0);
  const { success, start_ms, list_ms, tools } = JSON.parse(stdout);
  expect({ success, start_ms, list_ms }).toEqual({
    success: true,
    start_ms: expect.any(Number),
    list_ms: expect.any(Number),
  });
  expect(tools).toContainEqual({ name: 'get_marlow_system_prompt', description: expect.any(String) });
  const shown = await runCli(['--config', file, 'servers', 'test', 'persona-marlow']);
  expect(shown.stdout).toMatch(
    /get_marlow_system_prompt[\s\S]*persona-marlow was ready after \d+ ms and listed \d+ tools in \d+ ms\.\n$/,
  );
});
