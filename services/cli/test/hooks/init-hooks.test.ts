import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Machine } from '../../src/machine.ts';
import { runCli } from '../fixtures/run-cli.ts';

let home: string;
let config: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'contextloom hooks 中文-'));
  config = join(home, 'composition.json');
  // Servers at addresses are not tried out.
  const far = { url: 'http://127.0.0.1:9/mcp' };
  await writeFile(config, JSON.stringify({ mcpServers: { 'agent-mem': far, 'memory-processor': far } }));
});
afterEach(() => rm(home, { recursive: true }));

function init(...args: string[]) {
  const machine: Machine = { platform: 'linux', home, env: { CLAUDE_CONFIG_DIR: home, CODEX_HOME: home } };
  return runCli(['init', '--config', config, ...args], { machine });
}

it.each([
  ['claude-code', 'settings.json'],
  ['codex', 'hooks.json'],
])('writes the hooks of %s into %s with a copy, once, and takes them out', async (client, name) => {
  const file = join(home, name);
  const before = '{\n  "hooks": {}\n}\n';
  await writeFile(file, before);
  const printed = await init('--client', client, '--hooks', '--print');
  expect(JSON.parse(printed.stdout).hooks.SessionEnd[0].hooks[0].command).toContain(
    `--client ${client} --config '${config}'`,
  );
  // Codex gives the end of a session no longer, and says so at each start.
  expect(JSON.parse(printed.stdout).hooks.SessionEnd[0].hooks[0].timeout).toBe(client === 'codex' ? 3 : 15);
  expect(await readFile(file, 'utf8')).toBe(before);
  const written = await init('--client', client, '--hooks');
  expect(written).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\+ .*SessionStart/m) });
  expect(written.stdout.includes('/hooks there')).toBe(client === 'codex');
  expect(await readFile(file, 'utf8')).toBe(printed.stdout);
  expect(await readFile(`${file}.bak`, 'utf8')).toBe(before);
  expect(await init('--client', client, '--hooks')).toMatchObject({
    stdout: expect.stringContaining('has them already'),
  });
  expect(await init('--client', client, '--remove-hooks')).toMatchObject({ code: 0 });
  expect(await readFile(file, 'utf8')).not.toContain('contextloom');
  expect(await init('--client', client, '--remove-hooks')).toMatchObject({
    stdout: expect.stringContaining('has none'),
  });
});

it('says what is missing before it writes, and writes nothing where there is nothing to take out', async () => {
  await writeFile(config, '{ "mcpServers": {} }');
  const { code, stdout } = await init('--client', 'claude-code', '--hooks', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    success: false,
    written: false,
    problem: expect.stringContaining('no server "agent-mem"'),
  });
  expect(await init('--client', 'claude-code', '--hooks')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('nothing would be remembered'),
  });
  await init('--client', 'codex', '--remove-hooks');
  expect(await readdir(home)).toEqual(['composition.json']);
});

it.each([
  ['a client without hooks', ['--client', 'zed', '--hooks'], 1, 'claude-code, codex'],
  ['no client', ['--hooks'], 1, '--client'],
  ['both at once', ['--client', 'codex', '--hooks', '--remove-hooks'], 2, 'cannot be used with'],
  ['a user', ['--client', 'codex', '--hooks', '--user', 'ann'], 2, 'cannot be used with'],
])('refuses %s', async (_name, args, code, words) => {
  expect(await init(...args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
});
