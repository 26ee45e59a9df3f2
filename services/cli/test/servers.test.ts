import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from './fixtures/run-cli.ts';

const TEXT = `{
    // What the house has.
    "mcpServers": {
        "notes": { "command": "notes-server", "args": ["--all"] }, // one line
        /* switched off */
        "old": { "command": "old-server", "disabled": true }
    },
    "aggregator": { "source_deadline_ms": 5000 }
}
`;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-servers-'));
  file = join(folder, 'mcp_config.json');
  await writeFile(file, TEXT);
});
afterEach(() => rm(folder, { recursive: true }));

const run = (...args: readonly string[]) =>
  runCli(['--config', file, 'servers', ...args], { cwd: folder, env: { WIKI_KEY: 'secret' } });
const read = () => readFile(file, 'utf8');

describe('contextloom servers', () => {
  it('adds a server by its address or its command, and leaves comments and order as they are', async () => {
    const added = await run(
      'add',
      'wiki',
      'https://wiki.example.com/mcp',
      '--header',
      'Authorization: Bearer ${WIKI_KEY}',
    );
    expect(added).toEqual({ code: 0, stdout: `wiki is added to ${file}.\n`, stderr: '' });
    expect((await run('add', 'files', '--env', 'MODE=a=b', '--', 'npx', '-y', 'files-server', '/data')).code).toBe(0);
    const text = await read();
    expect(text).toBe(`{
    // What the house has.
    "mcpServers": {
        "notes": { "command": "notes-server", "args": ["--all"] }, // one line
        /* switched off */
        "old": { "command": "old-server", "disabled": true },
        "wiki": {
            "type": "http",
            "url": "https://wiki.example.com/mcp",
            "headers": {
                "Authorization": "Bearer \${WIKI_KEY}"
            }
        },
        "files": {
            "command": "npx",
            "args": [
                "-y",
                "files-server",
                "/data"
            ],
            "env": {
                "MODE": "a=b"
            }
        }
    },
    "aggregator": { "source_deadline_ms": 5000 }
}
`);
    expect((await run('remove', 'wiki')).code).toBe(0);
    expect((await run('remove', 'files')).code).toBe(0);
    expect(await read()).toBe(TEXT);
  });

  it('writes into "servers" where the file calls them so', async () => {
    await writeFile(file, '{\n\t"servers": {}\n}\n');
    expect((await run('add', 'a', 'a-server')).code).toBe(0);
    expect(await read()).toBe('{\n\t"servers": {\n\t\t"a": {\n\t\t\t"command": "a-server"\n\t\t}\n\t}\n}\n');
  });

  it('lists them, also those that are switched off', async () => {
    const { stdout } = await run('list');
    expect(stdout).toContain('notes-server --all');
    expect(stdout).toMatch(/old .* switched off/);
    const { servers } = JSON.parse((await run('list', '--json')).stdout);
    expect(servers.old).toEqual({ command: 'old-server', disabled: true });
  });

  it('loses no server when several are added at once', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `server-${at}`);
    await Promise.all(names.map((name) => run('add', name, 'a-server')));
    expect(Object.keys(JSON.parse((await run('list', '--json')).stdout).servers).sort()).toEqual(
      ['notes', 'old', ...names].sort(),
    );
  });

  it.each([
    [['add', 'notes', 'x'], 1, 'has a server "notes" already: remove it first'],
    [['add', 'a b', 'x'], 2, 'must be 1 to 64 letters'],
    [['add', 'a', 'https://x.example/mcp', 'y'], 2, 'an address takes no arguments'],
    [['add', 'a', 'https://x.example/mcp', '--env', 'A=b'], 2, 'an address takes no --env'],
    [['add', 'a', 'x', '--header', 'A: b'], 2, 'a command takes no --header'],
    [['add', 'a', 'x', '--env', 'A'], 2, 'must be of the form NAME=value'],
    [['add', 'a', 'x', '--env', 'A=${NOT_SET}'], 1, 'uses ${NOT_SET}, which is not set in the environment'],
    [['remove', 'none'], 1, 'has no server "none"; there are: notes, old'],
    [['test', 'none'], 1, 'has no server "none"; there are: notes, old'],
  ])('refuses %j and changes nothing', async (args, code, message) => {
    const refused = await run(...args);
    expect(refused).toMatchObject({ code, stderr: expect.stringContaining(message) });
    expect(await read()).toBe(TEXT);
  });

  it('takes no address of an aggregator: servers are not changed over the network', async () => {
    const refused = await runCli(['--url', 'http://127.0.0.1:1/mcp', 'servers', 'remove', 'notes']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('takes no --url') });
  });

  it('says why a server does not start', async () => {
    const tried = await run('test', 'notes', '--json');
    expect(tried.code).toBe(1);
    expect(JSON.parse(tried.stdout)).toEqual({
      name: 'notes',
      success: false,
      reason: 'cannot be started: there is no such program or folder (its "command" and "cwd")',
    });
  });
});
