import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCredentialStore } from '@contextloom/mcp-client';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from './fixtures/run-cli.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-credentials-'));
  file = join(folder, 'mcp_config.json');
  const wiki = { url: 'http://127.0.0.1:1/mcp', credentials: 'caller' };
  const mcpServers = { wiki, files: { command: 'files-server' }, plain: { url: 'http://127.0.0.1:1/mcp' } };
  await writeFile(file, JSON.stringify({ mcpServers }));
  await writeFile(join(folder, '.env'), `CONTEXTLOOM_CREDENTIALS_FILE=${join(folder, 'credentials.json')}\n`);
});
afterEach(() => rm(folder, { recursive: true }));

const run = (command: string, ...args: readonly string[]) =>
  runCli(['--config', file, ...command.split(' '), ...args], {
    cwd: folder,
    env: { WIKI_KEY: 'sesame', CONTEXTLOOM_CREDENTIALS_KEY_FILE: join(folder, 'credentials.key') },
  });

const openStore = () =>
  openCredentialStore({
    credentialsFile: join(folder, 'credentials.json'),
    credentialsKey: undefined,
    credentialsKeyFile: join(folder, 'credentials.key'),
  });

describe('contextloom credentials', () => {
  it('seals an account, lists whose it is, and removes it', async () => {
    const set = await run('credentials set', '--user', 'ann', '--server', 'wiki', '--bearer', '${WIKI_KEY}');
    expect(set).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The account of ann at wiki is set\.\nA key was made/),
    });
    expect(openStore().find({ server: 'wiki', user: 'ann' })?.credential).toEqual({
      kind: 'headers',
      values: { Authorization: 'Bearer sesame' },
    });
    expect(await readFile(join(folder, 'credentials.json'), 'utf8')).not.toContain('sesame');
    const listed = await run('credentials list', '--json');
    expect(listed.stdout).not.toContain('sealed');
    expect(JSON.parse(listed.stdout).credentials).toEqual([
      { server: 'wiki', user: 'ann', kind: 'headers', created_at: expect.any(String) },
    ]);
    expect((await run('credentials list')).stdout).toMatch(/wiki .* ann .* headers/);
    expect((await run('credentials remove', '--user', 'ann', '--server', 'wiki')).stdout).toBe(
      'The account of ann at wiki is removed.\n',
    );
    expect(openStore().find({ server: 'wiki', user: 'ann' })).toBeUndefined();
    expect((await run('credentials list')).stdout).toBe('There are no accounts.\n');
  });

  it('sets variables for a server that a command starts', async () => {
    expect((await run('credentials set', '--server', 'files', '--env', 'TOKEN=${WIKI_KEY}')).code).toBe(0);
    expect(openStore().find({ server: 'files', user: undefined })?.credential).toEqual({
      kind: 'env',
      values: { TOKEN: 'sesame' },
    });
  });

  it.each([
    ['credentials set', ['--server', 'none', '--bearer', 'x'], 'has no server "none"; there are: wiki, files, plain'],
    [
      'credentials set',
      ['--server', 'plain', '--user', 'ann', '--bearer', 'x'],
      'plain does not use accounts of callers',
    ],
    ['credentials set', ['--server', 'wiki', '--user', 'ann', '--env', 'A=b'], 'is given by --bearer or --header'],
    ['credentials set', ['--server', 'files', '--bearer', 'x'], 'is given by --env'],
    ['credentials set', ['--server', 'wiki'], 'is given by --bearer or --header'],
    ['credentials set', ['--server', 'wiki', '--bearer', '${NOT_SET}'], 'uses ${NOT_SET}, which is not set'],
    ['credentials remove', ['--server', 'wiki', '--user', 'ann'], 'there is no credential of ann for wiki'],
    ['servers login', ['files'], 'only a server with an address has a login'],
    ['servers login', ['plain'], 'has no authorization server that lets this program log in'],
  ])('refuses %s %j', async (command, args, message) => {
    const refused = await run(command, ...args);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });
});
