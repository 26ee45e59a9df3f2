import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { makeFolder, removeFolder } from './support/memory.ts';
import { runServer, startServer } from './support/server-process.ts';

const PACKAGE = 'better-sqlite3-multiple-ciphers';
// Compiled where it has no binary for the machine, and kept from run to run. The compiler optimises nothing: that takes it a minute
// and more, and the test stores little.
const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'contextloom', 'ciphers');
const modules = join(cache, 'node_modules');

beforeAll(() => {
  if (existsSync(join(modules, PACKAGE, 'build', 'Release'))) return;
  execFileSync('npm', ['install', '--prefix', cache, '--no-audit', '--no-fund', `${PACKAGE}@12.11.1`], {
    stdio: 'ignore',
    env: { ...process.env, CFLAGS: '-O0', CXXFLAGS: '-O0' },
  });
});

it('keeps everything encrypted, backups too, and opens it with the key alone', async () => {
  const folder = makeFolder();
  const plain = { PERSONAL_MEMORY_DATA_DIR: folder, NODE_PATH: modules, BACKUP_INTERVAL: '1' };
  const env = { ...plain, DB_ENCRYPTION_KEY: "it's a key 钥匙" };
  try {
    const server = await startServer([], env);
    for (let n = 0; n < 300; n += 1)
      await server.ask('add_event', { event_type: 'other', description: `Zanzibar 喝茶 ${n}` });
    expect((await server.ask('search_events', { query: '喝茶' }))['events']).not.toEqual([]);
    const backups = join(folder, 'backups');
    while (!existsSync(backups) || readdirSync(backups).filter((name) => name.endsWith('.db')).length === 0) {
      await server.ask('query_profile');
    }
    await server.close();
    const [copy = ''] = readdirSync(backups);
    for (const file of [join(folder, 'memory.db'), join(backups, copy)]) {
      expect(readFileSync(file).includes('Zanzibar')).toBe(false);
      expect(readFileSync(file).subarray(0, 15).toString('latin1')).not.toBe('SQLite format 3');
    }
    for (const wrong of [plain, { ...plain, DB_ENCRYPTION_KEY: 'wrong' }]) {
      const refused = await runServer([], wrong);
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('encrypted with a key that DB_ENCRYPTION_KEY does not have'),
      });
      expect(refused.stderr).not.toContain('wrong');
    }
    expect(await runServer(['--restore', join(backups, copy)], env)).toMatchObject({ code: 0 });
    const again = await startServer([], env);
    expect((await again.ask('search_events', { keywords: ['Zanzibar'] }))['events']).not.toEqual([]);
    await again.close();
  } finally {
    removeFolder(folder);
  }
});
