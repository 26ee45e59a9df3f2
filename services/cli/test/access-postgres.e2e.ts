import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, accessSettings, localPrincipal, openAccess, openKeyDatabase } from '@contextloom/access';
import { type ConnectionStore, openConnectionStore } from '@contextloom/access/authorization';
import { readSettings, silentLog } from '@contextloom/runtime';
import { describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { spawnCli } from './fixtures/spawn-cli.ts';

const clock = (): Date => new Date();
const connection = {
  id: 'grant-1',
  client_id: 'https://claude.ai/oauth/client',
  client_name: 'Claude',
  redirect_host: 'claude.ai',
  user_id: 'ann',
  key_name: 'laptop',
  key_hash: 'f'.repeat(64),
  scopes: ['read', 'write'] as const,
  created_at: '2026-05-01T10:00:00.000Z',
};

describeWithPostgres('what servers on several machines know of who calls', (server) => {
  let folder: string;
  let ends: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'contextloom-access-postgres-'));
  });
  afterEach(async () => {
    for (const end of ends.reverse()) await end();
    ends = [];
    await rm(folder, { recursive: true });
  });

  const toFile = (machine: string): string => join(folder, machine, 'keys.json');
  async function openKeys(machine: string) {
    return openKeyDatabase({ url: server().url, file: toFile(machine), log: silentLog });
  }
  /** The door of a server as it runs on a machine of its own. */
  async function openMachine(machine: string, env: Record<string, string> = {}): Promise<Access> {
    const keyDatabase = await openKeys(machine);
    const config = readSettings(accessSettings, { CONTEXTLOOM_KEYS_FILE: toFile(machine), ...env }).values;
    const access = openAccess({ config, server: 'aggregator', keyDatabase, clock, log: silentLog });
    ends.push(async () => {
      await access.audit.close();
      await access.close?.();
    });
    return access;
  }
  async function openConnections(machine: string): Promise<ConnectionStore> {
    const keys = await openKeys(machine);
    ends.push(keys.close);
    return openConnectionStore({ keysFile: toFile(machine), database: keys.database, clock });
  }

  it('is the same activity at each, also after a restart and with those of a machine that is gone', async () => {
    const machines = await Promise.all(['first', 'second'].map((machine) => openMachine(machine)));
    for (const [at, { audit }] of machines.entries()) {
      audit.write({ principal: localPrincipal, operation: `call_${at}`, subjects: ['ann'], outcome: 'ok' });
      // Each is written before the next is made.
      await machines[at]?.activity.list();
    }
    const third = await openMachine('third');
    for (const { activity } of [...machines, third]) {
      expect((await activity.list()).map(({ operation }) => operation)).toEqual(['call_1', 'call_0']);
    }
  });

  it('is one limit over all of them, within a second', async () => {
    const env = { RATE_LIMIT_PER_MINUTE: '40' };
    const [first, second] = await Promise.all(['first', 'second'].map((machine) => openMachine(machine, env)));
    // A minute that ends in between would begin the count anew.
    while (Date.now() % 60_000 > 40_000) await sleep(500);
    const call = async (access: Access | undefined): Promise<string> =>
      access?.guard.limiter?.begin('key app').then(
        ({ end }) => {
          end();
          return 'let in';
        },
        (error: { code: string }) => error.code,
      ) ?? 'none';
    for (let calls = 0; calls < 30; calls += 1) expect(await call(first)).toBe('let in');
    for (let calls = 0; calls < 10; calls += 1) expect(await call(second)).toBe('let in');
    while ((await call(second)) === 'let in') await sleep(50);
    // One that starts now learns of it as well.
    const third = await openMachine('third', env);
    for (const machine of [first, third]) while ((await call(machine)) === 'let in') await sleep(50);
  }, 120_000);

  it('are the same connections, which end on all when they end on one, and are taken over from a file', async () => {
    const before = await openConnectionStore({ keysFile: toFile('first'), clock });
    await before.toAdapter('Grant').upsert('grant-1', { jti: 'grant-1' });
    await before.add(connection);
    await before.toAdapter('RefreshToken').upsert('token', { jti: 'token', grantId: 'grant-1' }, 3_600);
    await before.close();
    const first = await openConnections('first');
    expect(existsSync(join(folder, 'first', 'connections.db'))).toBe(false);
    const second = await openConnections('second');
    expect(await second.find('grant-1')).toEqual(connection);
    const tokens = [first, second].map((store) => store.toAdapter('RefreshToken'));
    expect(await tokens[1]?.find('token')).toMatchObject({ jti: 'token', grantId: 'grant-1' });
    // Of two machines that are shown the same token at once, one takes it; the connection ends, as with a thief.
    const used = await Promise.allSettled(tokens.map((adapter) => adapter.consume('token')));
    expect(used.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect([await first.find('grant-1'), await second.list()]).toEqual([undefined, []]);
    expect(await tokens[0]?.find('token')).toBeUndefined();
  });

  it('is listed and ended by the command', async () => {
    const store = await openConnections('first');
    await store.toAdapter('Grant').upsert('grant-1', { jti: 'grant-1' });
    await store.add(connection);
    const env = { CONTEXTLOOM_KEYS_FILE: toFile('second'), CONTEXTLOOM_KEYS_URL: server().url, XDG_DATA_HOME: folder };
    const run = async (...words: readonly string[]) => {
      const cli = spawnCli(['connections', ...words], env);
      expect([await cli.ended, cli.stderr()]).toEqual([0, '']);
      return cli.stdout();
    };
    expect(await run('list')).toContain('Claude (claude.ai)');
    expect(await run('revoke', 'grant-1')).toContain('is ended');
    expect(await store.find('grant-1')).toBeUndefined();
  }, 60_000);
});
