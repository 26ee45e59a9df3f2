import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { storeEvent, toEvent } from './store/store.contract.ts';
import { makeFolder, openStore, removeFolder } from './support/memory.ts';
import { runServer, startServer } from './support/server-process.ts';

let folder: string;
let env: Record<string, string>;
let copy: string | undefined;
beforeAll(async () => {
  folder = makeFolder();
  env = { PERSONAL_MEMORY_DATA_DIR: folder, LOG_LEVEL: 'error' };
  const store = openStore(folder);
  await storeEvent(store, 'ann', toEvent('before the copy'));
  await storeEvent(store, '小满', toEvent('喝茶'));
  copy = (await store.backUp({ folder: join(folder, 'backups'), now: new Date(), minAgeMs: 0, keep: 9 }))[0];
  await storeEvent(store, 'ann', toEvent('after the copy'));
  await store.close();
});
afterAll(() => removeFolder(folder));

describe('the command line', () => {
  it('takes flags before the environment before the file before defaults, and tells which', async () => {
    const config = join(folder, 'config.json');
    const seed = {
      database: { path: './data/memory.db', backup_interval: 60 },
      server: { name: 'personal-memory-server', version: '1.0.0', default_user_id: 'of the file' },
      features: { enable_entity_relations: false, max_events_per_query: 7, auto_backup: true },
    };
    writeFileSync(config, JSON.stringify(seed));
    const args = ['--config', config, '--user-id', 'of the flag', '--multi-user', '--print-config'];
    const { stdout } = await runServer(args, {
      ...env,
      USER_ID: 'x',
      MAX_EVENTS_PER_QUERY: '9',
      DB_ENCRYPTION_KEY: 'secret',
    });
    expect(stdout).not.toContain('"secret"');
    expect(JSON.parse(stdout)).toMatchObject({
      userId: { value: 'of the flag', source: { flag: '--user-id' } },
      multiUser: { value: true, source: { flag: '--multi-user' } },
      maxEvents: { value: 9, source: { env: 'MAX_EVENTS_PER_QUERY' } },
      dbPath: { value: './data/memory.db', source: { file: 'database.path' } },
      backupInterval: { value: 60, source: { file: 'database.backup_interval' } },
      hasRelations: { value: false, source: { file: 'features.enable_entity_relations' } },
      timezone: { value: 'UTC', source: 'default' },
    });
  });

  it('names what is wrong with a setting', async () => {
    const wrong = await runServer([], { ...env, TIMEZONE: 'Mars/Olympus' });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('TIMEZONE must be a time zone') });
    const missing = await runServer(['--config', join(folder, 'nothing.json')], env);
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--config .*nothing\.json must be a JSON file/),
    });
  });

  it('exports all users, and imports them elsewhere', async () => {
    const file = join(folder, 'all.json');
    const exported = await runServer(['--export', file, '--multi-user'], env);
    expect(JSON.parse(exported.stdout)).toEqual({ file, users: ['ann', '小满'] });
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).users).sort()).toEqual(['ann', '小满']);
    expect(statSync(file).mode & 0o077).toBe(0);
    const other = { ...env, PERSONAL_MEMORY_DATA_DIR: join(folder, 'other'), STORAGE: 'per-user' };
    const one = await runServer(['--import', file, '--user-id', 'nobody'], other);
    expect(one).toMatchObject({ code: 1, stderr: expect.stringMatching(/has nothing of nobody; it has ann, 小满/) });
    const imported = await runServer(['--import', file, '--multi-user'], other);
    expect(JSON.parse(imported.stdout)).toMatchObject({ file, users: { ann: { imported: { events: 2 } }, 小满: {} } });
    const csv = join(folder, 'one.csv');
    expect(await runServer(['--export', csv, '--user-id', '小满'], other)).toMatchObject({ code: 0 });
    expect(readFileSync(csv, 'utf8')).toContain('喝茶');
  });

  it('names in one line a file that it cannot use', async () => {
    const { code, stderr } = await runServer(['--import', join(folder, 'missing.db')], env);
    expect(stderr).toBe(`personal-memory: --import cannot use ${join(folder, 'missing.db')}: ENOENT\n`);
    expect(code).toBe(2);
  });

  it('puts a backup back, unless a server uses the database, and keeps the old file', async () => {
    const server = await startServer(['--user-id', 'ann'], env);
    const refused = await runServer(['--restore', String(copy)], env);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use: end the servers') });
    expect((await server.ask('search_events'))['events']).toHaveLength(2);
    await server.close();
    expect(await runServer(['--restore', String(copy)], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`"restored": "${join(folder, 'memory.db')}"`),
    });
    const restored = await startServer(['--user-id', 'ann'], env);
    expect((await restored.ask('search_events'))['events']).toMatchObject([{ description: 'before the copy' }]);
    await restored.close();
    expect(readdirSync(folder).filter((name) => name.includes('before-restore'))).not.toEqual([]);
  });

  it('tries out its files with --check, and tells of damage', async () => {
    const good = JSON.parse((await runServer(['--check'], env)).stdout);
    expect(good.checks).toMatchObject([
      { name: 'memory', status: 'ok' },
      { name: 'embeddings', status: 'off' },
      { name: 'integrity', status: 'ok' },
      { name: 'backups', status: 'ok' },
    ]);
    const broken = makeFolder();
    writeFileSync(join(broken, 'memory.db'), 'I am no database, though I am long enough to look like one. '.repeat(20));
    const bad = JSON.parse((await runServer(['--check'], { ...env, PERSONAL_MEMORY_DATA_DIR: broken })).stdout);
    expect(bad.checks).toMatchObject([
      { name: 'memory', status: 'failed', detail: expect.stringContaining('move it away') },
      { name: 'embeddings', status: 'off' },
      { name: 'integrity', status: 'failed' },
      { name: 'backups', status: 'ok' },
    ]);
    expect(existsSync(join(broken, 'memory.db'))).toBe(true);
    removeFolder(broken);
  });

  it('says which package to install when a key is set', async () => {
    const { code, stderr } = await runServer([], {
      ...env,
      DB_ENCRYPTION_KEY: 'k',
      PERSONAL_MEMORY_DATA_DIR: join(folder, 'x'),
    });
    expect(code).toBe(1);
    expect(stderr).toContain('npm install --no-save better-sqlite3-multiple-ciphers');
  });
});
