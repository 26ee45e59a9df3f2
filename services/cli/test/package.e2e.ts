import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createUpstreams, installationRoot, type Upstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
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
function start(args: readonly string[] = [], own = env): Upstreams {
  const entry = { command: process.execPath, args: [toCommand(), ...args], env: own, cwd: '/' };
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

it('is known to the MCP registry by the same name', async () => {
  const { mcpName } = JSON.parse(await readFile(join(installed, 'node_modules/contextloom/package.json'), 'utf8'));
  expect(mcpName).toBe(JSON.parse(await readFile(join(installationRoot, 'server.json'), 'utf8')).name);
});

it('asks npm for the SQLite of each version of Node, whichever made it', async () => {
  const { optionalDependencies } = JSON.parse(
    await readFile(join(installed, 'node_modules/contextloom/package.json'), 'utf8'),
  );
  expect(Object.keys(optionalDependencies)).toEqual(['better-sqlite3', 'better-sqlite3-napi']);
});

it('starts from an MCP bundle, with the settings that a person fills in', async () => {
  const bundle = join(folder, 'contextloom.mcpb');
  const importTool = (name: string) => import(pathToFileURL(join(installationRoot, 'shared/tooling', name)).href);
  const { packBundle } = await importTool('package-mcpb.mjs');
  const { loadMcpb } = await importTool('mcpb.mjs');
  const { getMcpConfigForManifest, unpackExtension } = await loadMcpb();
  expect(await packBundle(installed, bundle)).toBe(true);
  const unpacked = join(folder, 'Claude Extensions', 'contextloom');
  expect(await unpackExtension({ mcpbPath: bundle, outputDir: unpacked, silent: true })).toBe(true);
  const manifest = JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8'));
  const userConfig = { user: '安', timezone: 'Asia/Shanghai' };
  const places = { extensionPath: unpacked, systemDirs: {}, pathSeparator: sep };
  const { args = [], env: given } = Object(await getMcpConfigForManifest({ manifest, userConfig, ...places }));
  const entry = { command: process.execPath, args, env: { ...env, ...given }, cwd: unpacked };
  const options = { clientName: 'test', clientVersion: '0', log: silentLog, stderr: 'ignore' } as const;
  upstreams = createUpstreams({ servers: { it: entry }, ...options });
  const { value: tools } = Object(await upstreams.listTools('it', patient));
  const names = manifest.tools.map(({ name }: { name: string }) => name);
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(names));
  await upstreams.call('it', 'remember', { text: 'The bakery closes at noon.' }, patient);
  const found = await upstreams.call('it', 'recall', { query: 'bakery' }, patient);
  expect(JSON.stringify(found)).toContain('noon');
});

it('runs as a command of npx, and names what it does not know', async () => {
  const { stdout } = await run('npx', ['--no-install', 'contextloom', '--version'], { cwd: installed });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const refused = await run(process.execPath, [toCommand(), 'serve', 'nothing'], { env }).catch((error) => error);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/no service "nothing".*knowledge-base/) });
});

it('keeps the servers that a user adds out of the package, which its next version replaces', async () => {
  const home = await mkdtemp(join(folder, 'config 设置 📁-'));
  const its = { ...env, XDG_CONFIG_HOME: home, HOME: home };
  const command = (...args: readonly string[]) => run(process.execPath, [toCommand(), ...args], { env: its, cwd: '/' });
  const before = await readFile(join(installed, 'node_modules/contextloom/mcp_config.json'), 'utf8');
  const own = join(home, 'contextloom', 'mcp_config.json');
  const { stdout } = await command('servers', 'add', 'notes', '--', 'notes-server');
  expect(stdout).toBe(`notes is added to ${own}. The file is new: start again what runs.\n`);
  expect((await command('servers', 'add', 'wiki', 'https://wiki.example.com/mcp')).stdout).toBe(
    `wiki is added to ${own}.\n`,
  );
  expect(await readFile(join(installed, 'node_modules/contextloom/mcp_config.json'), 'utf8')).toBe(before);
  const listed = JSON.parse((await command('servers', 'list', '--json')).stdout);
  expect(listed).toMatchObject({ file: own, servers: { 'knowledge-base': {}, notes: {}, wiki: {} } });
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

it('answers a handshake without opening a store', async () => {
  const home = await mkdtemp(join(folder, 'new home-'));
  const own = { ...env, XDG_DATA_HOME: home };
  const { value: tools } = Object(await start([], own).listTools('it', patient));
  expect(tools.length).toBeGreaterThan(5);
  expect(await readdir(home, { recursive: true })).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/sqlite|db$/)]),
  );
});

it('serves one server, with nothing to install', async () => {
  const { value: tools } = Object(await start(['serve', 'project-memory']).listTools('it', patient));
  expect(tools.map(({ name }: { name: string }) => name)).toContain('mem.search');
  const search = { project_key: 'one', query: 'decisions' };
  const answer = await upstreams?.call('it', 'mem.search', search, patient);
  expect(answer).toMatchObject({ value: { structured: { results: [] } } });
});

it('says how to install a part that is left out, where a folder of an earlier version is to be taken over', async () => {
  const own = { ...env, XDG_DATA_HOME: await mkdtemp(join(folder, 'new home-')) };
  const check = async () => {
    const command = [toCommand(), 'serve', 'project-memory', '--check'];
    const { stdout } = await run(process.execPath, command, { env: own }).catch((error) => error);
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'store');
  };
  const { status, detail } = await check();
  expect({ status, detail }).toEqual({ status: 'ok', detail: expect.stringMatching(/^is made at the first use: /) });
  const data = String(detail).replace('is made at the first use: ', '');
  await mkdir(join(data, 'postgres'), { recursive: true });
  await writeFile(join(data, 'postgres', 'PG_VERSION'), '18');
  expect(await check()).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('npm install @electric-sql/pglite@'),
  });
  const init = await run(process.execPath, [toCommand(), 'init', '--client', 'claude-code', '--hooks'], {
    env: { ...own, HOME: own.XDG_DATA_HOME, CLAUDE_CONFIG_DIR: own.XDG_DATA_HOME },
  }).catch((error) => error);
  expect(init.code).toBe(1);
  expect(init.stdout).toMatch(/Project memory does not work yet.*npm install @electric-sql\/pglite@/);
});

it('runs the demo', async () => {
  const { stdout } = await run(process.execPath, [toCommand(), 'demo', '--json'], { env, cwd: '/' });
  const { questions } = JSON.parse(stdout);
  expect(questions.length).toBeGreaterThan(0);
  expect(questions.every(({ found }: { found: boolean }) => found)).toBe(true);
});
