import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findBrokenLines } from '../../src/commands/doctor.ts';
import { findRepairs } from '../../src/doctor/repairs.ts';
import { type ServerReport, toReport } from '../../src/doctor/report.ts';

const ok = { name: 'n', status: 'ok', detail: '' } as const;
const now = Date.parse('2026-11-20T10:00:00Z');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom 修-'));
});
afterEach(() => rm(folder, { recursive: true }));

const find = (paths: Readonly<Record<string, string>>, platform: NodeJS.Platform = 'linux') => {
  const settings = Object.fromEntries(
    Object.entries(paths).map(([name, value]) => [name, { value, source: { env: name }, variables: [name] }]),
  );
  const server: ServerReport = { kind: 'own', settings, checks: [] };
  const composition = { file: join(folder, 'mcp_config.json'), check: ok };
  const servers = { a: server, b: server };
  return findRepairs(
    toReport({ composition, servers, proxy: server, clients: {}, hooks: {}, aggregator: { check: ok } }),
    {
      platform,
      now,
    },
  );
};

describe('repairs', () => {
  it('make a folder that is missing, for its owner alone, and leave one that is there', async () => {
    const missing = join(folder, 'new', 'data');
    const repairs = await find({ KB_DATA_DIR: missing, AGENT_MEMORY_WORKSPACE: folder, LLM_MODEL: 'none' });
    expect(repairs.map(({ description }) => description)).toEqual([`make the folder ${missing}`]);
    await repairs[0]?.run();
    expect((await stat(missing)).mode & 0o777).toBe(0o700);
    expect(await find({ KB_DATA_DIR: missing })).toEqual([]);
  });

  it('keep others from reading a secret, where the system has such rights', async () => {
    const keys = join(folder, 'keys.json');
    await writeFile(keys, '{}');
    await chmod(keys, 0o644);
    const settings = { CONTEXTLOOM_KEYS_FILE: keys, CONTEXTLOOM_CREDENTIALS_FILE: join(folder, 'absent.json') };
    expect(await find(settings, 'win32')).toEqual([]);
    const repairs = await find(settings);
    expect(repairs.map(({ description }) => description)).toEqual([`keep others from reading ${keys}`]);
    await repairs[0]?.run();
    expect((await stat(keys)).mode & 0o777).toBe(0o600);
  });

  it('remove locks of killed processes, and leave one that is young', async () => {
    const keys = join(folder, 'access', 'keys.json');
    await mkdir(join(folder, 'access'));
    await writeFile(`${keys}.lock`, '');
    await writeFile(`${keys}.lock.12-34`, '');
    const [old, young] = [new Date(now - 120_000), new Date(now - 1_000)];
    await utimes(`${keys}.lock`, old, old);
    await utimes(`${keys}.lock.12-34`, young, young);
    const repairs = await find({ CONTEXTLOOM_KEYS_FILE: keys });
    for (const repair of repairs) await repair.run();
    expect(await readdir(join(folder, 'access'))).toEqual(['keys.json.lock.12-34']);
  });
});

describe('lines of a .env file that set nothing', () => {
  it.each([
    ['A=1\r\nB = two words\r\n\r\n# note\r\nexport C=3', []],
    ['A=1\nLLM_MODEL gpt\n: x\n=y\n', [2, 3, 4]],
    ['KEY="first\nsecond line\nthird"\nB', [4]],
    ["A='x'\nB='=\n'\nC", [4]],
    ['路径=/tmp\nA=路径', [1]],
    ['A=', []],
  ])('are found in %j', (text, lines) => {
    expect(findBrokenLines(text)).toEqual(lines);
  });
});
