import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseMcpConfig } from '../src/composition/config.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const script = 'services/typed-memory/dist/server.js';
const env = {
  MEMORY_VAULT_KEY: 'sesame',
  KB_URL: 'http://127.0.0.1:1',
  KB_CACHE_MB: '64',
  DB_ENCRYPTION_KEY: 'of another',
  LLM_MODEL: '',
  AWS_SECRET_ACCESS_KEY: 'of nobody here',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-declared-'));
  await symlink(root, join(folder, 'link'));
});
afterAll(() => rm(folder, { recursive: true }));

function environmentOf(entry: object, baseDir = root, own: Record<string, string> = env) {
  const config = { mcpServers: { one: entry } };
  const { servers } = parseMcpConfig(JSON.stringify(config), { env: own, baseDir, file: 'mcp_config.json' });
  return Object(servers['one']).env;
}

describe('a server of this installation', () => {
  it('gets what it and the services it starts declare, where that is set, and no key of another', () => {
    expect(environmentOf({ command: 'node', args: [script] })).toEqual({
      MEMORY_VAULT_KEY: 'sesame',
      KB_URL: 'http://127.0.0.1:1',
      KB_CACHE_MB: '64',
    });
    expect(environmentOf({ command: 'contextloom', args: ['serve', 'typed-memory'] }, '/')).toEqual(
      environmentOf({ command: 'node', args: [script] }),
    );
    expect(environmentOf({ command: 'contextloom', args: ['serve', '../typed-memory'] })).toEqual({});
    expect(environmentOf({ command: '/opt/contextloom', args: ['serve', 'typed-memory'] })).toEqual({});
    const persona = { command: process.execPath, args: ['services/persona/dist/server.js', '--persona', 'marlow'] };
    expect(environmentOf(persona)).toEqual({});
    expect(environmentOf(persona, root, { LOG_LEVEL: 'debug' })).toEqual({ LOG_LEVEL: 'debug' });
  });

  it('gets what its entry says instead, nothing included', () => {
    const given = { KB_URL: '', MEMORY_VAULT_KEY: '${DB_ENCRYPTION_KEY}', OTHER: 'x', LOG_LEVEL: 'error' };
    expect(environmentOf({ command: 'node', args: [script], env: given })).toEqual({
      KB_CACHE_MB: '64',
      KB_URL: '',
      MEMORY_VAULT_KEY: 'of another',
      OTHER: 'x',
      LOG_LEVEL: 'error',
    });
  });

  it('is known by its file, whatever path leads there', () => {
    const expected = expect.objectContaining({ MEMORY_VAULT_KEY: 'sesame' });
    expect(environmentOf({ command: 'node', args: [join(root, script)] }, '/')).toEqual(expected);
    expect(environmentOf({ command: 'node', args: ['typed-memory/dist/server.js'], cwd: 'services' })).toEqual(
      expected,
    );
    expect(environmentOf({ command: 'node', args: [script] }, join(folder, 'link'))).toEqual(expected);
  });
});

describe('a server of anybody else', () => {
  it.each([
    ['a package', { command: 'npx', args: ['-y', 'some-server'] }],
    ['a package that is named like a file of ours', { command: 'npx', args: [script] }],
    ['another program with a file of ours', { command: '/tmp/evil', args: [script] }],
    ['code that runs before a file of ours', { command: 'node', args: ['--import=/tmp/evil.mjs', script] }],
    ['a file of ours as an argument', { command: 'node', args: ['/tmp/evil.js', script] }],
    ['another file of a service', { command: 'node', args: ['services/typed-memory/bench/typed-memory.mjs'] }],
    ['the same path elsewhere', { command: 'node', args: [script], cwd: tmpdir() }],
    ['a folder next to ours', { command: 'node', args: ['services/../services-evil/dist/server.js'] }],
    ['a service that there is not', { command: 'node', args: ['services/ghost/dist/server.js'] }],
    ['no argument', { command: 'node' }],
  ])('gets what its entry names and nothing else: %s', (_name, entry) => {
    expect(environmentOf(entry)).toEqual({});
    expect(environmentOf({ ...entry, env: { URL: '${KB_URL}' } })).toEqual({ URL: 'http://127.0.0.1:1' });
  });
});
