import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { runCli } from './fixtures/run-cli.ts';

/** What bash offers after a line, whose last word is the one that is being typed. */
async function complete(...line: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runCli(['completion', '--shell', 'bash']);
  const words = ['contextloom', ...line].map((word) => `'${word}'`).join(' ');
  const asked = `COMP_WORDS=(${words}); COMP_CWORD=${line.length}; _contextloom; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', `${stdout}\n${asked}`], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

it('completes commands, their own commands and their options in bash', async () => {
  expect(await complete('memo')).toEqual(['memories']);
  expect(await complete('memories', '--us')).toEqual(['--user']);
  expect(await complete('keys', '')).toEqual(expect.arrayContaining(['add', 'list', 'revoke']));
  expect(await complete('setup', 'embeddings', '--mo')).toEqual(['--model']);
  expect(await complete('nothing', 'of-this')).toEqual(['']);
});

it('is written for zsh and fish too, and for no other shell', async () => {
  expect((await runCli(['completion', '--shell', 'zsh'])).stdout).toContain('bashcompinit');
  const { stdout } = await runCli(['completion', '--shell', 'fish']);
  expect(stdout).toMatch(/^complete -c contextloom -n '__fish_use_subcommand' -a 'up /);
  expect(await runCli(['completion', '--shell', 'csh'])).toMatchObject({ code: 2 });
  expect(await runCli(['completion'])).toMatchObject({ code: 2 });
});
