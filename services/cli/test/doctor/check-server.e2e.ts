import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installationRoot, type StdioServerEntry } from '@contextloom/mcp-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkServer } from '../../src/doctor/check-server.ts';
import { leftBehind } from '../fixtures/processes.ts';

const oddServer = fileURLToPath(new URL('../fixtures/odd-server.mjs', import.meta.url));
const knowledgeBase = join(installationRoot, 'services/knowledge-base/dist/server.js');
const { signal } = new AbortController();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-check-'));
});
afterAll(() => rm(folder, { recursive: true }));

const toEntry = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = folder,
): StdioServerEntry => ({ command: process.execPath, args, env, cwd });
/** An entry that counts as ours, since it names a server of ours, and starts something else. */
const toOdd = (behaviour: string, env?: Readonly<Record<string, string>>) =>
  toEntry([oddServer, behaviour, knowledgeBase], env);
const failedWith = (detail: unknown) => ({
  kind: 'own',
  settings: {},
  checks: [{ name: 'start', status: 'failed', detail }],
});

describe('a server of ours that is asked to check itself', () => {
  it('is started with the arguments and the environment of its entry', async () => {
    const report = await checkServer(toOdd('obedient', { SECRET: 'sesame' }), { signal });
    const detail = `obedient ${knowledgeBase} --check sesame`;
    expect(report).toEqual({ kind: 'own', settings: {}, checks: [{ name: 'arguments', status: 'ok', detail }] });
  });

  it.each([
    ['talkative', 'answered --check with something else'],
    ['other', 'answered --check with something else'],
    ['endless', 'answered --check with something else'],
    ['silent', 'ended without an answer to --check (4)'],
  ])('fails when it is %s', async (behaviour, detail) => {
    expect(await checkServer(toOdd(behaviour), { signal })).toEqual(failedWith(detail));
  });

  it('may answer that a check failed and end with code 1', async () => {
    const checks = [{ name: 'store', status: 'failed', detail: 'it is gone' }];
    expect(await checkServer(toOdd('failing'), { signal })).toEqual({ kind: 'own', settings: {}, checks });
  });

  it('fails at its deadline, and is not left behind', async () => {
    const pidFile = join(folder, 'pid');
    const report = await checkServer(toOdd('hanging', { ODD_PID_FILE: pidFile }), { signal, timeoutMs: 1_500 });
    expect(report).toEqual(failedWith('did not answer --check within 1.5 s'));
    expect(await leftBehind([Number(await readFile(pidFile, 'utf8'))])).toEqual([]);
  });

  it('fails with its own words when a setting is wrong', async () => {
    const report = await checkServer(toEntry([knowledgeBase], { KB_ISOLATION: 'maybe' }), { signal });
    expect(report).toEqual(failedWith(expect.stringContaining('KB_ISOLATION must be one of "strict", "off"')));
  });

  it('may have settings from a flag and from a configuration file', async () => {
    const env = { PERSONAL_MEMORY_DATA_DIR: folder, PERSONAL_MEMORY_CONFIG: join(folder, 'personal.json') };
    await writeFile(env.PERSONAL_MEMORY_CONFIG, JSON.stringify({ server: { timezone: 'Asia/Shanghai' } }));
    const personalMemory = join(installationRoot, 'services/personal-memory/dist/server.js');
    const report = await checkServer(toEntry([personalMemory, '--user-id', 'ann'], env), { signal });
    expect(report).toMatchObject({
      settings: {
        userId: { value: 'ann', source: { flag: '--user-id' } },
        timezone: { value: 'Asia/Shanghai', source: { file: 'server.timezone' } },
      },
    });
  });

  it('fails when there is no such command, and when it is not built', async () => {
    const command = 'contextloom-no-such-command';
    const unknown = await checkServer({ ...toEntry([knowledgeBase]), command }, { signal });
    expect(unknown).toEqual(failedWith(expect.stringContaining(`"${command}" cannot be started`)));
    const ghost = join(installationRoot, 'services/ghost/dist/server.js');
    const unbuilt = await checkServer(toEntry([ghost]), { signal });
    expect(unbuilt).toEqual(failedWith(expect.stringContaining(`there is no ${ghost}`)));
  });

  it('is found by a relative path and through a symbolic link', async () => {
    const env = { KB_DATA_DIR: folder };
    const cwd = join(installationRoot, 'services');
    const relative = await checkServer({ ...toEntry(['knowledge-base/dist/server.js'], env), cwd }, { signal });
    expect(relative).toMatchObject({ kind: 'own', checks: [{ name: 'store', status: 'ok' }, {}] });
    await symlink(installationRoot, join(folder, 'link'));
    const linked = await checkServer(toEntry(['link/services/knowledge-base/dist/server.js'], env), { signal });
    expect(linked).toMatchObject({ kind: 'own', checks: [{ name: 'store', status: 'ok' }, {}] });
  });
});

describe('a server that is not ours', () => {
  it.each([
    ['reached by an address', { url: 'http://127.0.0.1:9/mcp', headers: {} }],
    ['some other program', toEntry(['-e', 'process.exit(1)'], {}, '/')],
    ['another file of the installation', toEntry([join(installationRoot, 'services/cli/bin/contextloom.js')], {}, '/')],
    ['a file with such a name elsewhere', toEntry(['opt/services/knowledge-base/dist/server.js'], {}, '/')],
  ])('is not started: %s', async (_name, entry) => {
    const report = await checkServer(entry, { signal });
    expect(report).toEqual({ kind: 'foreign', detail: 'not one of ours: see status' });
  });
});
