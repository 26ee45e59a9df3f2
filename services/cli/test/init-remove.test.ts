import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isHookClient, specOf } from '../src/hooks/clients.ts';
import { clients, type McpClient } from '../src/init/clients.ts';
import type { Machine } from '../src/machine.ts';
import { runCli } from './fixtures/run-cli.ts';

let root: string;
let config: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'contextloom remove 中文-'));
  config = join(root, 'composition.json');
  // Servers at addresses are not tried out.
  const far = { url: 'http://127.0.0.1:9/mcp' };
  await writeFile(config, JSON.stringify({ mcpServers: { 'agent-mem': far, 'memory-processor': far } }));
});
afterAll(() => rm(root, { recursive: true }));

/** A home folder, and the command run in it. */
async function openHome() {
  const home = await mkdtemp(join(root, 'home-'));
  const machine: Machine = { platform: 'linux', home, env: {} };
  const init = (client: string, ...args: string[]) =>
    runCli(['--config', config, 'init', '--client', client, ...args], { machine });
  /** The files that `init` writes of a client: of its servers and of its hooks. */
  const filesOf = (client: McpClient): readonly string[] => [
    ...new Set([client.toFile(machine) ?? '', ...(isHookClient(client.id) ? [specOf(client.id).toFile(machine)] : [])]),
  ];
  return { home, machine, init, filesOf };
}
const read = (file: string) => readFile(file, 'latin1').catch(() => undefined);
const write = async (file: string, text: string) => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
};
const withFiles = clients.filter(({ id }) => id !== 'cherry-studio');

const json = [
  undefined,
  '',
  ' \n',
  '{}',
  '{}\n',
  '{\n}\n',
  '{ }',
  '{"a":1}',
  '{"a":1,"mcpServers":{},"hooks":{}}',
  '\uFEFF{\n  "a": [1, 2]\n}\n',
  '{\r\n    "a": { "b": 1 }\r\n}\r\n',
  '{\n\t"a": [\n\t\t1\n\t],\n\t"mcpServers": {\n\t\t"other": { "command": "x" }\n\t}\n}\n\n',
  '{\n  "hooks": {\n    "SessionStart": [],\n    "sessionStart": [ { "command": "echo hi" } ]\n  },\n  "servers": { }\n}',
  '{\n  "context_servers": {\n  },\n  "mcpServers": {"o":{"command":"x"}}\n}',
  '// mine\n{\n  // 我的\n  "a": 1 // one\n}\n// end\n',
  '{\n  /* nothing yet */\n}\n',
  '{\n  "a": 1, // last\n  "hooks": {\n    "SessionEnd": [ /* none */ ],\n  },\n  "mcpServers": {\n    "o": { "command": "x" }, // mine\n  },\n}\n',
] as const;
const toml = [
  undefined,
  '',
  '\n\n',
  'model = "o5"',
  '# mine\nmodel = "o5" # fast\n\n\n',
  'model = "o5"\r\n\r\n[mcp_servers.a]\r\ncommand = "a"\r\n',
  '[mcp_servers.a]\n\tcommand = "a"\n\n# of b\n[b]\nc = 1',
  'a = 1\r\nb = 2\n',
  '\uFEFFa = 1\n',
] as const;

const SERVER = ['--user', 'ann'];
const orders = [
  [SERVER, ['--hooks']],
  [['--hooks'], SERVER],
  [SERVER, ['--user', 'bob', '--profile', 'all'], ['--hooks']],
];

/** What `init --remove` leaves otherwise than it was, of every text that a file may have been. */
async function findTraces(client: McpClient): Promise<readonly object[]> {
  const traces: object[] = [];
  for (const order of orders) {
    for (let at = 0; at < Math.max(json.length, toml.length); at += 1) {
      const { init, filesOf } = await openHome();
      const files = filesOf(client);
      for (const file of files) {
        const texts = file.endsWith('.toml') ? toml : json;
        const text = texts[at % texts.length];
        // A plugin holds no settings.
        if (text !== undefined && !file.endsWith('.js')) await write(file, text);
      }
      const before = await Promise.all(files.map(read));
      const steps = isHookClient(client.id) ? order : order.filter(([option]) => option !== '--hooks');
      const codes = [];
      for (const step of steps) codes.push((await init(client.id, ...step)).code);
      const { code, stdout } = await init(client.id, '--remove', '--yes');
      const after = await Promise.all(files.map(read));
      const isGone = isDeepStrictEqual(after, before) && [...codes, code].every((one) => one === 0);
      if (!isGone || stdout.includes('Written by others')) traces.push({ order, codes, code, before, after });
    }
  }
  return traces;
}

it.each(withFiles)(
  'what init wrote for $title goes byte by byte, whatever the files were',
  async (client) => {
    expect(await findTraces(client)).toEqual([]);
  },
  60_000,
);

/** Puts a setting in front of all others. */
const withSetting = (text: string, file: string): string =>
  file.endsWith('.toml') ? text.replace(/^\uFEFF?/, '$&mine = 1\n') : text.replace('{', '{"mine": 1,');

it.each(withFiles)(
  'what a person changed in the files of $title since stays as they wrote it, and is named',
  async (client) => {
    const { init, filesOf: toFiles } = await openHome();
    const filesOf = (one: McpClient) => toFiles(one).filter((file) => !file.endsWith('.js'));
    const settings = '\uFEFF{\r\n\t// 我的\r\n\t"a": { "b": [1] } // last\r\n}';
    const texts = filesOf(client).map((file) => (file.endsWith('.toml') ? '# mine\n[a]\nb = 1\n' : settings));
    for (const [at, file] of filesOf(client).entries()) await write(file, texts[at] ?? '');
    await init(client.id, ...SERVER);
    if (isHookClient(client.id)) await init(client.id, '--hooks');
    for (const file of filesOf(client)) await writeFile(file, withSetting(await readFile(file, 'utf8'), file));
    const { code, stdout } = await init(client.id, '--remove', '--yes');
    expect([code, stdout.match(/^ {2}mine$/gm)?.length]).toEqual([0, texts.length]);
    for (const [at, file] of filesOf(client).entries()) {
      expect(await readFile(file, 'utf8')).toBe(withSetting(texts[at] ?? '', file));
    }
  },
);

it('tells what would be done without --yes, and keeps a copy when it is', async () => {
  const { home, init } = await openHome();
  const file = join(home, '.cursor', 'mcp.json');
  await init('cursor', ...SERVER);
  await init('cursor', '--hooks');
  const before = await readFile(file, 'utf8');
  const preview = await init('cursor', '--remove');
  expect(preview).toMatchObject({ code: 0, stdout: expect.stringMatching(/^- .*"contextloom": \{$/m) });
  expect(preview.stdout).toContain(`${file} would be removed.`);
  expect(preview.stdout).toContain('Nothing was changed yet: --yes does it.');
  expect(await readFile(file, 'utf8')).toBe(before);
  await writeFile(file, before.replace('{', '{"mine": 1,'));
  const { files } = JSON.parse((await init('cursor', '--remove', '--yes', '--json')).stdout);
  expect(files).toEqual([
    { file, change: 'changed', written: true, copy: `${file}.bak`, kept: ['mine'] },
    { file: join(home, '.cursor', 'hooks.json'), change: 'removed', written: true, copy: null, kept: [] },
  ]);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mine: 1 });
  expect(JSON.parse(await readFile(`${file}.bak`, 'utf8'))).toMatchObject({ mine: 1, mcpServers: {} });
  expect((await init('cursor', '--remove', '--yes')).stdout).toBe(`${file}: nothing was changed.\n`);
});

it('tells a dozen of what others wrote, and all of it with --json', async () => {
  const { home, init } = await openHome();
  const file = join(home, '.claude.json');
  await init('claude-code', ...SERVER);
  // Somebody's own, which is no JSON.
  await writeFile(`${file}.bak7`, '{ "mine": ');
  const counts = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`count${at}`, at]));
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...counts }));
  const { stdout } = await init('claude-code', '--remove');
  expect([stdout.match(/^ {2}count\d+$/gm)?.length, stdout.includes('  and 8 more')]).toEqual([12, true]);
  const { files } = JSON.parse((await init('claude-code', '--remove', '--json')).stdout);
  expect(files).toMatchObject([{ file, change: 'changed', written: false, kept: Object.keys(counts) }]);
});

it('leaves a server that a person changed, and says by what, and takes out the hooks', async () => {
  const { home, init } = await openHome();
  const file = join(home, '.gemini', 'settings.json');
  await init('gemini', ...SERVER);
  const settings = JSON.parse(await readFile(file, 'utf8'));
  settings.mcpServers.contextloom.env.LLM_API_KEY = 'sk-1';
  settings.mcpServers.contextloom.trust = true;
  await writeFile(file, JSON.stringify(settings));
  await init('gemini', '--hooks');
  const { code, stdout } = await init('gemini', '--remove', '--yes');
  expect(code).toBe(0);
  for (const key of ['trust', 'env.LLM_API_KEY']) expect(stdout).toContain(`contextloom, since ${key} is not what`);
  expect(await readFile(file, 'utf8')).toBe(JSON.stringify(settings));
});

it('changes none of the files where one cannot be read, and has nothing to do where there are none', async () => {
  const { home, init } = await openHome();
  expect((await init('codex', '--remove', '--yes')).stdout).toBe('Codex has nothing that init wrote.\n');
  await init('codex', ...SERVER);
  const before = await readFile(join(home, '.codex', 'config.toml'), 'utf8');
  await write(join(home, '.codex', 'hooks.json'), '{ "hooks": ');
  expect(await init('codex', '--remove', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('hooks.json is not valid JSON'),
  });
  expect(await readFile(join(home, '.codex', 'config.toml'), 'utf8')).toBe(before);
});

it.each([
  ['a client that keeps its servers itself', ['cherry-studio', '--remove', '--yes'], 1, 'remove it there'],
  ['--yes for anything else', ['cursor', '--yes'], 1, '--yes goes with --remove'],
  ['a user', ['cursor', '--remove', '--user', 'ann'], 2, 'cannot be used with'],
  ['hooks', ['cursor', '--remove', '--hooks'], 2, 'cannot be used with'],
])('refuses %s', async (_name, [client = '', ...args], code, words) => {
  const { init } = await openHome();
  expect(await init(client, ...args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
});
