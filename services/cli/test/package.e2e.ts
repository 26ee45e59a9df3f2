import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createUpstreams, installationRoot, silentLog, type Upstreams } from '@contextloom/mcp-kit';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';

const run = promisify(execFile);
const binary = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';

let folder: string;
let installed: string;
let tarball: string;
let env: Record<string, string>;
let upstreams: Upstreams | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom package 中文-'));
  const packed = join(folder, 'packed');
  await run(process.execPath, ['shared/tooling/package.mjs', packed], { cwd: installationRoot });
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: packed });
  tarball = join(folder, stdout.trim());
  installed = join(folder, 'installed');
  await mkdir(installed);
  await writeFile(join(installed, 'package.json'), '{ "private": true }');
  // SQLite's binary is the one of this clone: npm would compile it where it cannot fetch one.
  await run('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', tarball], { cwd: installed });
  await mkdir(join(installed, binary, '..'), { recursive: true });
  await copyFile(join(installationRoot, binary), join(installed, binary));
  env = { PATH: String(process.env['PATH']), XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, LOG_LEVEL: 'error' };
});
afterEach(async () => {
  await upstreams?.close();
  upstreams = undefined;
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

const toCommand = () => join(installed, 'node_modules/contextloom/services/cli/bin/contextloom.js');

/** Connects as a desktop client does, which starts servers in `/`. */
function start(...args: string[]): Upstreams {
  const entry = { command: process.execPath, args: [toCommand(), ...args], env, cwd: '/' };
  const options = { clientName: 'test', clientVersion: '0', log: silentLog, stderr: 'ignore' } as const;
  upstreams = createUpstreams({ servers: { it: entry }, ...options });
  return upstreams;
}

const patient = { timeoutMs: 120_000 };

async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (one) => (await stat(join(one.parentPath, one.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

it('is small, and installed takes less than 90 MB', async () => {
  expect((await stat(tarball)).size).toBeLessThan(5_000_000);
  expect(await sizeOf(join(installed, 'node_modules'))).toBeLessThan(90_000_000);
  const composition = await readFile(join(installed, 'node_modules/contextloom/mcp_config.json'), 'utf8');
  expect(composition).not.toContain('dist/');
});

it('runs as a command of npx, and names what it does not know', async () => {
  const { stdout } = await run('npx', ['--no-install', 'contextloom', '--version'], { cwd: installed });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const refused = await run(process.execPath, [toCommand(), 'serve', 'nothing'], { env }).catch((error) => error);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/no service "nothing".*knowledge-base/) });
});

it('is the MCP server of the default composition when a client starts it without arguments', async () => {
  const server = start();
  const conversation = JSON.stringify([{ role: 'user', content: 'Kit is allergic to walnuts.' }]);
  const stored = { user_id: 'tess', conversation_history: conversation };
  expect(await server.call('it', 'store_conversation_memory', stored, patient)).toMatchObject({ kind: 'ok' });
  const question = { persona_name: 'marlow', user_id: 'tess', user_query: 'What is Kit allergic to?' };
  const answer = await server.call('it', 'build_prompt_with_context', question, patient);
  expect(answer).toMatchObject({ value: { structured: { prompt: expect.stringContaining('walnuts') } } });
  const status = await server.call('it', 'get_service_status', {}, patient);
  expect(status).toMatchObject({ value: { structured: { status: 'running' } } });
});

it('serves one server, and says how to install a part that is left out', async () => {
  const { value: tools } = Object(await start('serve', 'project-memory').listTools('it', patient));
  expect(tools.map(({ name }: { name: string }) => name)).toContain('mem.search');
  const search = { project_key: 'one', query: 'decisions' };
  const answer = await upstreams?.call('it', 'mem.search', search, patient);
  expect(JSON.stringify(answer)).toContain('npm install @electric-sql/pglite@');
});

it('runs the demo', async () => {
  const { stdout } = await run(process.execPath, [toCommand(), 'demo', '--json'], { env, cwd: '/' });
  const { questions } = JSON.parse(stdout);
  expect(questions.length).toBeGreaterThan(0);
  expect(questions.every(({ found }: { found: boolean }) => found)).toBe(true);
});
