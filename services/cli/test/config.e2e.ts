import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeTestComposition } from './fixtures/composition.ts';
import { runCli } from './fixtures/run-cli.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-config-'));
});
afterEach(() => rm(folder, { recursive: true }));

const config = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { code, stdout, stderr } = await runCli(['config', ...args], { cwd: folder, env });
  return { code, stderr, servers: code === 0 ? JSON.parse(stdout).mcpServers : undefined };
};

describe('contextloom config', () => {
  it('prints what starts from any folder, whatever its working folder', async () => {
    const { servers } = await config(['persona-marlow']);
    const entry = { env: {}, ...servers['persona-marlow'], cwd: '/' };
    const upstreams = createUpstreams({
      servers: { persona: entry },
      clientName: 'test',
      clientVersion: '0',
      log: silentLog,
    });
    try {
      expect(await upstreams.ping('persona', { timeoutMs: 200_000 })).toMatchObject({ kind: 'ok' });
    } finally {
      await upstreams.close();
    }
  });
});

describe('a composition', () => {
  it('of which one server alone is not there, works without it and names the file', async () => {
    const file = await writeTestComposition(folder);
    const composition = JSON.parse(await readFile(file, 'utf8'));
    const gone = { command: 'node', args: ['servers/gone.js'] };
    await writeFile(file, JSON.stringify({ ...composition, mcpServers: { ...composition.mcpServers, gone } }));
    const { stdout } = await runCli(['--config', file, 'status', '--json']);
    expect(JSON.parse(stdout).components).toMatchObject({
      'persona-marlow': { status: 'running', service: 'persona' },
      gone: {
        status: 'unavailable',
        reason: expect.stringContaining('cannot be started: there is no servers/gone.js in its working folder'),
      },
    });
  });
});

describe('a .env file next to the composition', () => {
  it('is read by the command and its servers, the environment wins, and doctor says where each value came from', async () => {
    const file = await writeTestComposition(folder);
    const composition = JSON.parse(await readFile(file, 'utf8'));
    const knowledgeBase = composition.mcpServers['knowledge-base'];
    Object.assign(knowledgeBase.env, { KB_DATA_DIR: '${KB_DATA_DIR:-}', KB_CACHE_MB: '${KB_CACHE_MB:-}' });
    const mcpServers = { 'knowledge-base': knowledgeBase };
    await writeFile(file, JSON.stringify({ ...composition, mcpServers }));
    await writeFile(
      join(folder, '.env'),
      `# mine\nKB_DATA_DIR="${join(folder, 'from-file')}"\nexport KB_CACHE_MB=64\n`,
    );
    const doctor = (...args: string[]) => runCli(['--config', file, 'doctor', ...args], { env: { KB_CACHE_MB: '32' } });
    const report = JSON.parse((await doctor('--json')).stdout);
    expect(report.env_file).toEqual({ file: join(folder, '.env'), variables: ['KB_CACHE_MB', 'KB_DATA_DIR'] });
    expect(report.servers['knowledge-base'].settings).toMatchObject({
      dataDir: { value: join(folder, 'from-file'), origin: '.env' },
      cacheMb: { value: 32, origin: 'environment' },
      logLevel: { value: 'error', origin: 'composition' },
    });
    const { stdout } = await doctor();
    expect(stdout).toContain(`${join(folder, '.env')}: KB_CACHE_MB, KB_DATA_DIR\n`);
    expect(stdout).toMatch(/│ KB_CACHE_MB +│ 32 +│ KB_CACHE_MB \(environment\) +│/);
  });
});

describe('KB_PORT alone', () => {
  it('is where a service would listen, and demands none', async () => {
    const file = await writeTestComposition(folder);
    const composition = JSON.parse(await readFile(file, 'utf8'));
    const processor = composition.mcpServers['memory-processor'];
    Object.assign(processor.env, { KB_PORT: '${KB_PORT:-}' });
    await writeFile(file, JSON.stringify(composition));
    await writeFile(join(folder, 'chat.txt'), 'Ann: I moved to Lyon in May.\nMarlow: Congratulations!\n');
    const args = ['--config', file, 'remember', 'chat.txt', '--user', 'ann'];
    const { code, stderr } = await runCli(args, { cwd: folder, env: { KB_PORT: '9' } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
