import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { CliContext } from '../../src/context.ts';
import { runLine, tryHooks } from '../../src/doctor/try-hooks.ts';
import { EACH_QUESTION, hookClientIds, hookClients } from '../../src/hooks/clients.ts';
import type { Machine } from '../../src/machine.ts';
import { toHome } from '../fixtures/home.ts';
import { runCli } from '../fixtures/run-cli.ts';

let home: string;
let machine: Machine;
let context: CliContext;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "contextloom it's 中文-"));
  machine = { platform: process.platform, home, env: {} };
  const sink = { write: () => undefined };
  context = {
    stdout: sink,
    stderr: sink,
    env: { PATH: process.env['PATH'], ...toHome(home) },
    cwd: home,
    execPath: process.execPath,
    machine,
    signal: new AbortController().signal,
    clock: () => new Date(),
    now: () => 0,
  };
});
afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

it('fires each hook that was written once, and tells what arrived', async () => {
  const config = join(home, 'composition.json');
  const far = { url: 'http://127.0.0.1:9/mcp' };
  await writeFile(config, JSON.stringify({ mcpServers: { 'agent-mem': far, 'memory-processor': far } }));
  for (const client of hookClientIds) {
    expect(await runCli(['init', '--client', client, '--hooks', '--config', config], { machine })).toMatchObject({
      code: 0,
    });
  }
  const tried = await tryHooks(context);
  expect(Object.keys(tried)).toEqual(hookClientIds);
  for (const client of hookClientIds) {
    // Nobody asked for what answers each question.
    const events = Object.entries(hookClients[client].events).filter(([event]) => event !== EACH_QUESTION);
    expect(tried[client]).toEqual(
      events.map(([event, name]) => ({
        name,
        status: 'ok',
        detail: event.endsWith('start')
          ? expect.stringMatching(/^told a brief of \d+ characters$/)
          : expect.stringMatching(/^a session (?:of 30 bytes )?arrived$/),
      })),
    );
  }
}, 600_000);

it('says what is wrong with a hook whose program is gone, and with a file that is none', async () => {
  const file = hookClients.cursor.toFile(machine);
  const init = await runCli(['init', '--client', 'cursor', '--hooks', '--print'], { machine });
  const text = init.stdout.replaceAll('bin/contextloom.js', 'gone/contextloom.js');
  await mkdir(join(home, '.cursor'));
  await writeFile(file, text);
  const { cursor = [] } = await tryHooks(context);
  expect(cursor.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
  expect(cursor[0]?.detail).toContain('Cannot find module');
  await appendFile(file, '}');
  expect(await tryHooks(context)).toEqual({
    cursor: [{ name: 'readable', status: 'failed', detail: expect.stringContaining(file) }],
  });
  expect(await readFile(file, 'utf8')).toBe(`${text}}`);
}, 600_000);

it.each(process.platform === 'win32' ? ['posix' as const] : ['windows' as const, 'powershell' as const])(
  'tells a missing shell (%s)',
  async (shell) => {
    const { code, stderr } = await runLine('echo', { shell, input: '', env: { PATH: home }, signal: context.signal });
    expect(code).toBeNull();
    expect(stderr).toMatch(/ENOENT/);
  },
);
