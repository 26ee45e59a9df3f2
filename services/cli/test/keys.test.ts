import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from './fixtures/run-cli.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-keys-'));
});
afterEach(() => rm(folder, { recursive: true }));

const run = (...args: readonly string[]) =>
  runCli(['keys', ...args], {
    env: { CONTEXTLOOM_KEYS_FILE: join(folder, 'keys.json') },
    cwd: folder,
    columns: 80,
    now: () => 0,
  });

describe('contextloom keys', () => {
  it('prints a key once, and lists what it may', async () => {
    const made = await run(
      'add',
      'ann',
      '--user',
      'ann',
      '--user',
      'kit',
      '--scope',
      'read',
      '--expires',
      '90d',
      '--json',
    );
    const { key, ...shown } = JSON.parse(made.stdout);
    expect(key).toMatch(/^clk_[\w-]{43}$/);
    expect(shown).toEqual({
      name: 'ann',
      users: ['ann', 'kit'],
      projects: [],
      scopes: ['read'],
      expires_at: expect.any(String),
    });
    expect(Date.parse(shown.expires_at) - Date.now()).toBeGreaterThan(89 * 86_400_000);
    const listed = await run('list');
    expect(listed.stdout).toContain('ann, kit');
    expect(listed.stdout).not.toContain(key.slice(4));
  });

  it('reads and writes for everybody unless told otherwise', async () => {
    expect(JSON.parse((await run('add', 'app', '--json')).stdout)).toMatchObject({
      users: 'all',
      projects: 'all',
      scopes: ['read', 'write'],
      expires_at: null,
    });
  });

  it('rotates and revokes by name', async () => {
    const before = JSON.parse((await run('add', 'app', '--json')).stdout).key;
    const after = JSON.parse((await run('rotate', 'app', '--json')).stdout).key;
    expect(after).not.toBe(before);
    expect((await run('revoke', 'app')).stdout).toBe('The key app is revoked.\n');
    expect(await run('revoke', 'app')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no key "app"'),
    });
    expect((await run('list')).stdout).toContain('There are no keys');
  });

  it.each([
    [['add', 'a b'], 'the name of a key must be'],
    [['add', 'a', '--scope', 'everything'], 'must be one or more of read, write, admin'],
    [['add', 'a', '--expires', 'soon'], 'must be a time span'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(message);
  });
});
