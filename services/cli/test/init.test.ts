import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installationRoot } from '@contextloom/mcp-client';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { clients } from '../src/init/clients.ts';
import { toDifference } from '../src/init/difference.ts';
import { toLaunch } from '../src/init/launch.ts';
import { setTomlEntry } from '../src/init/toml-entry.ts';
import type { Machine } from '../src/machine.ts';
import { type CliRunOptions, runCli } from './fixtures/run-cli.ts';

const linux: Machine = { platform: 'linux', home: '/home/ann', env: {} };
const mac: Machine = { platform: 'darwin', home: '/Users/ann', env: {} };
const windows: Machine = {
  platform: 'win32',
  home: 'C:\\Users\\安',
  env: { APPDATA: 'C:\\Users\\安\\AppData\\Roaming' },
};

const fileOf = (id: string, machine: Machine) => clients.find((client) => client.id === id)?.toFile(machine);

describe('the file of a client', () => {
  it.each([
    ['claude-desktop', linux, '/home/ann/.config/Claude/claude_desktop_config.json'],
    ['claude-desktop', mac, '/Users/ann/Library/Application Support/Claude/claude_desktop_config.json'],
    ['claude-desktop', windows, 'C:\\Users\\安\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
    ['claude-desktop', { ...windows, env: {} }, 'C:\\Users\\安\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
    ['claude-desktop', { ...linux, env: { XDG_CONFIG_HOME: '/cfg' } }, '/cfg/Claude/claude_desktop_config.json'],
    ['claude-code', linux, '/home/ann/.claude.json'],
    ['claude-code', { ...linux, env: { CLAUDE_CONFIG_DIR: '/srv/claude' } }, '/srv/claude/.claude.json'],
    ['claude-code', windows, 'C:\\Users\\安\\.claude.json'],
    ['cursor', mac, '/Users/ann/.cursor/mcp.json'],
    ['vscode', linux, '/home/ann/.config/Code/User/mcp.json'],
    ['vscode', mac, '/Users/ann/Library/Application Support/Code/User/mcp.json'],
    ['vscode', windows, 'C:\\Users\\安\\AppData\\Roaming\\Code\\User\\mcp.json'],
    ['windsurf', windows, 'C:\\Users\\安\\.codeium\\windsurf\\mcp_config.json'],
    ['gemini', linux, '/home/ann/.gemini/settings.json'],
    ['codex', mac, '/Users/ann/.codex/config.toml'],
    ['codex', { ...linux, env: { CODEX_HOME: '/codex' } }, '/codex/config.toml'],
    ['copilot', linux, '/home/ann/.copilot/mcp-config.json'],
    ['copilot', { ...windows, env: { COPILOT_HOME: 'D:\\copilot' } }, 'D:\\copilot\\mcp-config.json'],
    ['zed', linux, '/home/ann/.config/zed/settings.json'],
    ['zed', mac, '/Users/ann/.config/zed/settings.json'],
    ['zed', windows, 'C:\\Users\\安\\AppData\\Roaming\\Zed\\settings.json'],
    ['cherry-studio', linux, undefined],
  ])('of %s on %j', (id, machine, expected) => {
    expect(fileOf(id, machine)).toBe(expected);
  });
});

describe('what a client starts', () => {
  const choice = { user: 'ann', profile: 'chat' };
  const flags = ['serve', '--profile', 'chat', '--user', 'ann'];
  const installed = {
    platform: 'linux',
    execPath: '/usr/bin/node',
    root: '/opt/my tools/contextloom',
    bin: '/b.js',
  } as const;
  const cached = { ...installed, root: join('home', '.npm', '_npx', 'abc', 'node_modules', 'contextloom') };

  it('is the command where it lies, and by its name when npx only keeps it for a while', () => {
    expect(toLaunch(choice, installed)).toEqual({ command: '/usr/bin/node', args: ['/b.js', ...flags] });
    expect(toLaunch(choice, cached)).toEqual({ command: 'npx', args: ['-y', 'contextloom', ...flags] });
    expect(toLaunch(choice, { ...cached, platform: 'win32' })).toEqual({
      command: 'cmd',
      args: ['/c', 'npx', '-y', 'contextloom', ...flags],
    });
  });
});

describe('a table in TOML', () => {
  const place = { file: 'config.toml', section: 'mcp_servers', name: 'contextloom' };
  const entry = { command: 'node', args: ['a b.js', '--user', '安'] };
  const table = ['[mcp_servers.contextloom]', 'command = "node"', 'args = [ "a b.js", "--user", "安" ]'];

  it.each([
    ['an empty file', '', `${table.join('\n')}\n`],
    ['a file of other things', '# mine\nmodel = "o5" # fast\n', `# mine\nmodel = "o5" # fast\n\n${table.join('\n')}\n`],
    [
      'its own table, between others',
      '[mcp_servers.a]\ncommand = "a"\n\n[mcp_servers.contextloom]\ncommand = "old"\n[mcp_servers.contextloom.env]\nA = "1"\n\n# of b\n[mcp_servers.b]\ncommand = "b"\n',
      `[mcp_servers.a]\ncommand = "a"\n\n${table.join('\n')}\n\n# of b\n[mcp_servers.b]\ncommand = "b"\n`,
    ],
    ['lines of Windows', 'model = "o5"\r\n', `model = "o5"\r\n\r\n${table.join('\r\n')}\r\n`],
  ])('is written into %s', (_, text, expected) => {
    expect(setTomlEntry(text, entry, place)).toBe(expected);
    expect(setTomlEntry(expected, entry, place)).toBe(expected);
  });

  it('is refused where lines cannot be replaced, and in what is no TOML', () => {
    const inline = 'mcp_servers = { contextloom = { command = "old" } }\n';
    expect(() => setTomlEntry(inline, entry, place)).toThrow('config.toml');
    expect(() => setTomlEntry('a = = b', entry, place)).toThrow('config.toml is not valid TOML');
  });
});

it('shows the lines that changed, with two around them', () => {
  expect(toDifference('a\nb\nc\nd\ne\n', 'a\nb\nc\nX\ne\n')).toEqual(['  b', '  c', '- d', '+ X', '  e']);
  expect(toDifference('', 'a\n')).toEqual(['+ a']);
  expect(toDifference('a\r\n', 'a\n')).toEqual([]);
});

describe('contextloom init', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'contextloom init 中文-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  const machine = (): Machine => ({ platform: 'linux', home, env: {} });
  const run = (args: readonly string[], options: CliRunOptions = {}) =>
    runCli(['init', ...args], { machine: machine(), ...options });
  const bin = join(installationRoot, 'services/cli/bin/contextloom.js');
  const env = { TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone };
  const entry = { command: process.execPath, args: [bin, 'serve', '--profile', 'chat', '--user', 'ann'], env };

  it.each(clients.filter(({ id }) => id !== 'cherry-studio'))(
    'writes a file of $title that was not there',
    async (client) => {
      const { code, stdout, stderr } = await run(['--client', client.id, '--user', 'ann']);
      expect([code, stderr]).toEqual([0, '']);
      const file = client.toFile(machine()) ?? '';
      expect(stdout).toContain(`Written to ${file}.`);
      const text = await readFile(file, 'utf8');
      if (client.format === 'toml') expect(text).toContain('[mcp_servers.contextloom]\n');
      else expect(JSON.parse(text)).toEqual({ [client.section]: { contextloom: client.toEntry(entry) } });
      expect((await run(['--client', client.id, '--user', 'ann'])).stdout).toContain('nothing was changed');
    },
  );

  it('leaves nothing in the folder that it is run in', async () => {
    const folder = join(home, 'project');
    const before = process.cwd();
    await mkdir(folder);
    process.chdir(folder);
    try {
      expect((await run(['--client', 'zed', '--user', 'ann'])).code).toBe(0);
    } finally {
      process.chdir(before);
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps comments, everything else, and a copy of what was there', async () => {
    const file = join(home, '.config/zed/settings.json');
    await mkdir(dirname(file), { recursive: true });
    const before =
      '{\n  // my theme\n  "theme": "One",\n  "context_servers": {\n    "other": { "command": "x" }, // mine\n  },\n}\n';
    await writeFile(file, before);
    const { stdout } = await run(['--client', 'zed', '--user', 'ann', '--json']);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ client: 'zed', file, written: true, entry });
    expect(await readFile(report.copy, 'utf8')).toBe(before);
    const text = await readFile(file, 'utf8');
    for (const line of ['// my theme', '"theme": "One",', '"other": { "command": "x" }', '// mine'])
      expect(text).toContain(line);
    expect(text).toContain('"contextloom": {');
    const second = await run(['--client', 'zed', '--user', 'bob', '--json']);
    expect(JSON.parse(second.stdout).copy).not.toBe(report.copy);
    expect(await readFile(file, 'utf8')).not.toContain('"ann"');
  });

  it('writes nothing with --print, into no file that it cannot read, and for no client that it does not know', async () => {
    const printed = await run(['--client', 'cursor', '--user', 'ann', '--print']);
    expect(JSON.parse(printed.stdout)).toEqual({ mcpServers: { contextloom: entry } });
    const file = join(home, '.cursor/mcp.json');
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    await mkdir(dirname(file));
    await writeFile(file, '{ "mcpServers": ');
    const refused = await run(['--client', 'cursor', '--user', 'ann']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(file) });
    expect(await readFile(file, 'utf8')).toBe('{ "mcpServers": ');
    expect((await run(['--client', 'emacs', '--user', 'ann'])).code).toBe(2);
    expect((await run(['--user', 'ann'])).stderr).toContain('give --client');
    expect((await run(['--client', 'cursor', '--user', 'ann'], { machine: undefined })).stderr).toContain('set HOME');
  });

  const answering = (...answers: string[]) => {
    const questions: string[] = [];
    const ask = async (question: string): Promise<string> => answers[questions.push(question) - 1] ?? '';
    return { questions, ask };
  };

  it('proposes what is on the machine, and writes what an empty line takes', async () => {
    const { questions, ask } = answering('', '', '', 'n', '', 'n');
    await mkdir(join(home, '.cursor'));
    const { stdout, stderr, code } = await run([], { ask, env: { USER: 'tess' } });
    expect([code, stderr]).toEqual([0, '']);
    expect(questions.map((question) => question.split('\n').at(-1))).toEqual([
      '(Cursor) > ',
      'Whose memory is it? (tess) > ',
      `In which time zone? (${env.TIMEZONE}) > `,
      expect.stringContaining('hooks'),
      expect.stringContaining('model'),
      expect.stringContaining('page'),
    ]);
    expect(questions[0]).toContain('3  Cursor  (found)');
    expect(stdout).toContain('Then say there:');
    const written = JSON.parse(await readFile(join(home, '.cursor/mcp.json'), 'utf8')).mcpServers.contextloom;
    expect(written).toMatchObject({ args: [bin, 'serve', '--profile', 'chat', '--user', 'tess'], env });
  });

  it('writes the server and the hooks in one go, in the time zone that is given', async () => {
    const config = join(home, 'composition.json');
    const far = { url: 'http://127.0.0.1:9/mcp' };
    await writeFile(config, JSON.stringify({ mcpServers: { 'agent-mem': far, 'memory-processor': far } }));
    const { questions, ask } = answering('codex', 'ann', 'Asia/Shanghai', 'y', 'n', 'n');
    const { code } = await run(['--config', config], { ask });
    expect([code, questions.length]).toEqual([0, 6]);
    expect(await readFile(join(home, '.codex/config.toml'), 'utf8')).toContain('TIMEZONE = "Asia/Shanghai"');
    expect(await readFile(join(home, '.codex/hooks.json'), 'utf8')).toContain('hook session-start');
  });

  it('is what the command alone does for a person whose clients have no server yet', async () => {
    const { questions, ask } = answering('cursor', 'ann', '', 'n', 'n', 'n');
    // The name of a folder says nothing of a server.
    await writeFile(join(home, '.claude.json'), '{ "projects": { "/home/ann/contextloom": {} } }');
    expect((await runCli([], { machine: machine(), ask })).code).toBe(0);
    expect(questions).toHaveLength(6);
    const again = await runCli([], { machine: machine(), ask });
    expect(questions).toHaveLength(6);
    expect(again.stdout + again.stderr).toContain('Usage: contextloom');
  });

  it('refuses a time zone that there is not', async () => {
    const { code, stderr } = await run(['--client', 'cursor', '--user', 'ann', '--timezone', 'Mars/Olympus']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('--timezone must be the name of a time zone')]);
  });

  it('asks whose memory it is alone where the client is given, and nothing where both are', async () => {
    const questions: string[] = [];
    const ask = async (question: string): Promise<string> => {
      questions.push(question);
      return '';
    };
    const half = await run(['--client', 'cursor', '--print'], { ask, env: { USER: 'ann' } });
    expect(questions).toEqual([expect.stringContaining('Whose memory')]);
    expect(JSON.parse(half.stdout)).toEqual({ mcpServers: { contextloom: entry } });
    await run(['--client', 'cursor', '--user', 'ann', '--print'], { ask });
    expect(questions).toHaveLength(1);
  });

  it('prints what is pasted into a client that keeps its servers itself', async () => {
    const { stdout, stderr } = await run(['--client', 'cherry-studio', '--user', 'ann']);
    expect(JSON.parse(stdout)).toEqual({ mcpServers: { contextloom: entry } });
    expect(stderr).toContain('paste this');
  });
});
