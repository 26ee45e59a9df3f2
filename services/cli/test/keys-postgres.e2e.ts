import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { addKey, type KeyFileOptions, listKeys, openKeyDatabase, revokeKey } from '@contextloom/access';
import { silentLog } from '@contextloom/runtime';
import { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnCli } from './fixtures/spawn-cli.ts';

const serverFile = fileURLToPath(new URL('../../persona/dist/server.js', import.meta.url));
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};

describeWithPostgres('the keys of servers on several machines', (server) => {
  let folder: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'contextloom-keys-postgres-'));
    await openKeys('cleared', (keys) => keys.database.change(() => []));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      const ended = once(child, 'exit');
      if (child.kill('SIGTERM')) await ended;
    }
    await rm(folder, { recursive: true, maxRetries: 5 });
  });

  const toEnv = (machine: string) => ({
    XDG_DATA_HOME: join(folder, machine),
    CONTEXTLOOM_KEYS_FILE: join(folder, machine, 'keys.json'),
    CONTEXTLOOM_KEYS_URL: server().url,
  });
  const open = (machine: string, url = server().url) =>
    openKeyDatabase({ url, file: toEnv(machine).CONTEXTLOOM_KEYS_FILE, log: silentLog });
  async function openKeys<T>(
    machine: string,
    work: (keys: KeyFileOptions & { database: Awaited<ReturnType<typeof open>> }) => Promise<T>,
  ): Promise<T> {
    const database = await open(machine);
    const { CONTEXTLOOM_KEYS_FILE: file } = toEnv(machine);
    return work({ file, database, clock: () => new Date() }).finally(() => database.close());
  }

  /** A server as it runs on a machine of its own; answers how a call with a key ends. */
  async function start(machine: string): Promise<(key?: string) => Promise<number>> {
    await mkdir(join(folder, machine), { recursive: true });
    const child = spawn(process.execPath, [serverFile, '--persona', 'marlow', '--http', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...toEnv(machine), LOG_LEVEL: 'info' },
    });
    children.push(child);
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
      createInterface({ input: child.stderr }).on('line', (line) => {
        const { url: shown } = JSON.parse(line) as { url?: string };
        if (shown !== undefined) resolve(shown);
      });
    });
    return async (key) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      };
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(INITIALIZE) })).status;
    };
  }
  const until = async (ask: () => Promise<number>, status: number): Promise<void> => {
    while ((await ask()) !== status) await sleep(50);
  };
  async function command(machine: string, ...args: readonly string[]): Promise<string> {
    const cli = spawnCli(['keys', ...args], toEnv(machine));
    expect([await cli.ended, cli.stderr()]).toEqual([0, '']);
    return cli.stdout().split('\n')[0] ?? '';
  }

  it('are refused with a sentence about the file where it cannot be kept under another name, not about the database', async () => {
    // The name that it would be kept under is longer than a file system takes.
    const machine = join(folder, 'long');
    await mkdir(machine, { recursive: true });
    const file = join(machine, `${'k'.repeat(240)}.json`);
    const stored = { name: 'app', hash: 'a'.repeat(64), scopes: ['read'], created_at: '2026-03-01T00:00:00.000Z' };
    await writeFile(file, JSON.stringify({ version: 1, keys: [stored] }), { mode: 0o600 });
    const url = await createDatabase(server());
    const opening = openKeyDatabase({ url, file, log: silentLog });
    await expect(opening).rejects.toMatchObject({ message: expect.stringContaining(`${file} cannot be`) });
  });

  it('let in at each of them what was made on one, and nobody any more with a key that was revoked on another', async () => {
    const [first, second] = [await start('first'), await start('second')];
    expect([await first(), await second()]).toEqual([401, 401]);
    const key = await command('third', 'add', 'app');
    await Promise.all([first, second].map((ask) => until(() => ask(key), 200)));
    await command('second', 'revoke', 'app');
    await Promise.all([first, second].map((ask) => until(() => ask(key), 401)));
  }, 180_000);

  it('let nobody in while their database is away, and go on when it is back', async () => {
    const ask = await start('first');
    const key = await command('first', 'add', 'app');
    await until(() => ask(key), 200);
    await server().kill();
    await until(() => ask(key), 503);
    await server().start();
    await until(() => ask(key), 200);
  }, 180_000);

  it('are all there that several make at once', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `key-${at}`);
    await Promise.all(names.map((name) => openKeys(name, (keys) => addKey({ name, scopes: ['read'] }, keys))));
    await openKeys('first', async (keys) => {
      expect((await listKeys(keys)).map(({ name }) => name).sort()).toEqual(names);
      await revokeKey('key-3', keys);
      await expect(revokeKey('key-3', keys)).rejects.toMatchObject({ code: 'not_found' });
      await expect(addKey({ name: 'key-1', scopes: ['read'] }, keys)).rejects.toMatchObject({ code: 'conflict' });
    });
  });

  describe('in a database of its own', () => {
    let url: string;
    beforeEach(async () => {
      url = await createDatabase(server());
    });

    it('are taken over from the file, which lets nobody in from then on', async () => {
      const { CONTEXTLOOM_KEYS_FILE: file } = toEnv('first');
      await addKey({ name: 'before', scopes: ['read'] }, { file, clock: () => new Date() });
      const text = await readFile(file, 'utf8');
      const opened = await Promise.all([open('first', url), open('first', url), open('second', url)]);
      for (const database of opened) {
        expect((await database.list()).map(({ name }) => name)).toEqual(['before']);
        // One that was opened a moment before the others were done sees them a moment later.
        while (database.read() === undefined) await sleep(50);
        expect(database.read()?.map(({ name }) => name)).toEqual(['before']);
        await database.close();
      }
      expect(await listKeys({ file })).toEqual([]);
      const kept = join(folder, 'first', 'keys.before-postgres.json');
      expect([await readFile(kept, 'utf8'), (await stat(kept)).mode & 0o777]).toEqual([text, 0o600]);
      // As a start leaves it that was killed before it emptied the file.
      await writeFile(file, text);
      await (await open('first', url)).close();
      expect(await listKeys({ file })).toEqual([]);
      // Keys of a file that the database does not have stay where they are.
      await addKey({ name: 'other', scopes: ['read'] }, { file, clock: () => new Date() });
      const again = await open('first', url);
      expect([await listKeys({ file }), await again.list()]).toMatchObject([[{ name: 'other' }], [{ name: 'before' }]]);
      await again.close();
    });

    it('are refused, with the setting, in a schema of a newer program and in a database that is not there', async () => {
      await (await open('first', url)).close();
      await runSql(url, 'UPDATE contextloom_access.schema_version SET version = 9');
      await expect(open('first', url)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/contextloom_access of CONTEXTLOOM_KEYS_URL has version 9/),
      });
      await expect(open('first', `${url}_gone`)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('CONTEXTLOOM_KEYS_URL'),
      });
    });
  });
});
