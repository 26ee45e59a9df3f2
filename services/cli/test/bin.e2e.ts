import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnCli } from './fixtures/spawn-cli.ts';

const bin = fileURLToPath(new URL('../bin/contextloom.js', import.meta.url));

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-bin-'));
});

afterEach(() => rm(folder, { recursive: true }));

describe('the contextloom command', () => {
  it('may be executed', async () => {
    expect((await stat(bin)).mode & 0o111).toBe(0o111);
  });

  it('says what to do when it has not been built', async () => {
    await mkdir(join(folder, 'bin'));
    const copy = join(folder, 'bin', 'contextloom.mjs');
    await copyFile(bin, copy);
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [copy], (error, _stdout, text) => resolve({ code: error?.code, stderr: text }));
    });
    expect(stderr).toBe('contextloom: not built yet. Run "npm ci" in the folder of the repository, then try again.\n');
    expect(code).toBe(1);
  });

  // To start a program as another user takes root.
  (process.getuid?.() === 0 ? it : it.skip)('says what to set for a user without a home folder', async () => {
    const options = { uid: 54_321, gid: 54_321, env: { PATH: process.env['PATH'] }, cwd: '/' };
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [bin], options, (error, _stdout, text) =>
        resolve({ code: error?.code, stderr: text }),
      );
    });
    expect(stderr).toBe(
      'contextloom: this user has no home folder. Set HOME to a folder that the user can write to.\n',
    );
    expect(code).toBe(1);
  });

  // What needs no folder starts all the same, as in a container whose user is a bare number; what does names the folder.
  (process.getuid?.() === 0 ? it.each : it.skip.each)([
    ['persona', ['--persona', 'marlow'], {}, 0, ''],
    ['knowledge-base', [], {}, 1, 'the folder /nonexistent/.local/share/contextloom/knowledge-base cannot be made'],
    ['knowledge-base', [], { EMBEDDING_PROVIDER: 'lexical', KB_URL: 'http://127.0.0.1:9' }, 0, ''],
    ['personal-memory', [], { HOME: '/proc' }, 1, 'the folder /proc/.local/share/contextloom/personal-memory cannot'],
  ])('starts %s %j with %j for a user without a home folder', async (service, args, env, expected, said) => {
    const script = fileURLToPath(new URL(`../../${service}/dist/server.js`, import.meta.url));
    const options = {
      uid: 54_321,
      gid: 54_321,
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', ...env },
      cwd: '/',
    };
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      const child = execFile(process.execPath, [script, ...args], options, (error, _stdout, text) =>
        resolve({ code: error?.code ?? 0, stderr: text }),
      );
      child.stdin?.end();
    });
    expect({ code, stderr }).toEqual({ code: expected, stderr: said === '' ? '' : expect.stringContaining(said) });
  });

  it('passes the exit code of a command on', async () => {
    expect(await spawnCli(['--version']).ended).toBe(0);
    expect(await spawnCli(['--config', join(folder, 'absent.json'), 'status']).ended).toBe(1);
    expect(await spawnCli(['remember']).ended).toBe(2);
  });

  it('is not troubled by a reader that stops reading', async () => {
    const cli = spawnCli(['--help']);
    cli.child.stdout?.destroy();
    expect(await cli.ended).toBe(0);
    expect(cli.stderr()).toBe('');
  });
});
