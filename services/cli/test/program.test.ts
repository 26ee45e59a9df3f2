import { describe, expect, it } from '@jest/globals';
import { runCli } from './fixtures/run-cli.ts';

const COMMANDS = [
  'up',
  'demo',
  'prompt',
  'remember',
  'extract',
  'memories',
  'recall',
  'correct',
  'forget',
  'status',
  'doctor',
];

describe('the command line', () => {
  it.each([
    ['no command', []],
    ['an unknown command', ['rember']],
    ['an unknown option', ['status', '--fast']],
    ['a missing user', ['forget', '--yes']],
    ['a blank user', ['memories', '--user', ' ']],
    ['a user in GBK, as the command line decodes it', ['memories', '--user', '\ufffd\ufffd\ufffd\ufffd']],
    ['a name of two lines', ['prompt', 'marlow', 'hello', '--user', 'ann', '--user-name', 'Ann\n# Rules']],
    ['a persona with a path', ['prompt', '../uozumi', 'hello', '--user', 'ann']],
    ['a count of zero', ['memories', '--user', 'ann', '--limit', '0']],
    ['a count in words', ['prompt', 'marlow', 'hello', '--user', 'ann', '--top-k', 'many']],
    ['an unknown memory type', ['memories', '--user', 'ann', '--type', 'dream']],
    ['no date', ['remember', 'a.txt', '--user', 'ann', '--date', 'yesterday']],
    ['a day that there is not', ['extract', 'a.txt', '--date', '2025-13-01']],
    ['a user for extract', ['extract', 'a.txt', '--user', 'ann']],
    ['a port above 65535', ['up', '--port', '70000']],
    ['no address', ['--url', 'localhost', 'status']],
    ['an address of another kind', ['--url', 'ftp://localhost/mcp', 'status']],
    ['an aggregator address for up', ['--url', 'http://127.0.0.1:1/mcp', 'up']],
    ['an aggregator address for demo', ['--url', 'http://127.0.0.1:1/mcp', 'demo']],
    ['both a composition and an address', ['--config', 'a.json', '--url', 'http://127.0.0.1:1/mcp', 'status']],
    ['a word too many', ['status', 'now']],
  ])('ends with code 2 and says why for %s', async (_what, args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toBe('');
  });

  it.each([
    ['an unknown option', ['status', '--fast'], '--fast'],
    ['a misspelt one in place of a required one', ['export', '--usr', 'ann'], 'Did you mean --user?'],
    ['a missing user', ['forget'], '--user'],
    ['a count of zero', ['memories', '--user', 'ann', '--limit', '0'], '--limit'],
    ['an unknown command', ['rember'], 'Did you mean remember?'],
    ['both hooks at once', ['init', '--hooks', '--remove-hooks'], 'cannot be used with'],
  ])('says as one JSON document what is wrong with %s', async (_what, args, words) => {
    const { code, stdout, stderr } = await runCli([...args, '--json']);
    expect(code).toBe(2);
    const message = expect.stringContaining(words);
    expect(JSON.parse(stdout)).toEqual({ success: false, error: { code: 'invalid', message } });
    expect(stderr).toContain(words);
  });

  it('names a misspelt option before one that is missing', async () => {
    const { stderr } = await runCli(['forget', '--usr', 'ann', '--yes']);
    expect(stderr).toBe("error: unknown option '--usr'\n(Did you mean --user?)\n(--help shows the usage)\n");
  });

  it('suggests the command that was meant', async () => {
    expect((await runCli(['rember'])).stderr).toContain('Did you mean remember?');
  });

  it.each(COMMANDS)('explains %s with an example', async (command) => {
    const { code, stdout } = await runCli([command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`$ contextloom ${command}`);
    expect(stdout).toContain('--json');
  });

  it('lists every command with examples and exit codes in its own help', async () => {
    const { code, stdout } = await runCli(['--help']);
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(stdout).toContain(command);
    expect(stdout).toContain('Exit codes');
  });

  it('prints its version', async () => {
    const { code, stdout } = await runCli(['--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('names the composition file that cannot be read', async () => {
    const { code, stderr } = await runCli(['--config', 'absent.json', 'status'], { cwd: '/' });
    expect(stderr).toBe('contextloom: cannot read /absent.json: name another file with --config\n');
    expect(code).toBe(1);
  });
});
