import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConnectionStore } from '@contextloom/access/authorization';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from './fixtures/run-cli.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-connections-'));
});
afterEach(() => rm(folder, { recursive: true }));

const run = (...args: readonly string[]) =>
  runCli(['connections', ...args], {
    env: { CONTEXTLOOM_KEYS_FILE: join(folder, 'keys.json') },
    cwd: folder,
    columns: 120,
    now: () => 0,
  });

const connection = {
  id: 'grant-1',
  client_id: 'client-1',
  client_name: 'Claude',
  redirect_host: 'claude.ai',
  user_id: 'ann',
  key_name: 'laptop',
  scopes: ['read', 'write'] as const,
  created_at: '2026-05-01T10:00:00.000Z',
};

describe('contextloom connections', () => {
  it('has nothing to list, and makes no file, before a program was let in', async () => {
    expect(await run('list')).toMatchObject({ code: 0, stdout: 'No program has been let in.\n' });
    expect(await run('revoke', 'x')).toMatchObject({ code: 1 });
    expect(await readdir(folder)).toEqual([]);
  });

  it('lists who was let in, without what would let anybody in, and ends it', async () => {
    const store = await openConnectionStore({ keysFile: join(folder, 'keys.json'), clock: () => new Date() });
    await store.add({ ...connection, key_hash: 'f'.repeat(64) });
    await store.close();
    const { stdout } = await run('list');
    for (const word of ['grant-1', 'Claude (claude.ai)', 'ann', 'laptop', 'read, write', '2026-05-01']) {
      expect(stdout).toContain(word);
    }
    expect(JSON.parse((await run('list', '--json')).stdout)).toEqual({ connections: [connection] });
    expect((await run('revoke', 'grant-1')).stdout).toBe('The connection grant-1 is ended.\n');
    expect((await run('revoke', 'grant-1')).stderr).toContain('there is no connection "grant-1"');
    expect(JSON.parse((await run('list', '--json')).stdout)).toEqual({ connections: [] });
  });
});
