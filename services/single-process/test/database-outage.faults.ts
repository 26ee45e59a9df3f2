import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { createPostgresServer, findPostgres, type PostgresServer } from '@contextloom/testing/postgres-server';
import { expect, it } from '@jest/globals';
import { KINDS, Ledger } from './support/ledger.ts';
import { type Relay, startRelay } from './support/relay.ts';
import { atOnce, withReplica } from './support/replica.ts';
import { canMount, mountSmallDisk } from './support/small-disk.ts';

const isMounting = await canMount();
if (!isMounting) process.stderr.write('A full disk is not tried: this machine lets us mount none.\n');

/** Bytes that cannot be made smaller. */
const noise = (): string => randomBytes(1_500).toString('base64url');
const portOf = (url: string): number => Number(new URL(url).port);

/** Makes a standby without which nothing is acknowledged. */
async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  const standby = await createPostgresServer((await findPostgres()) ?? '', [], primary.url);
  await standby.start();
  await runSql(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()');
  const follows = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`;
  while ((await runSql(primary.url, follows)).length === 0) await sleep(50);
  return standby;
}

/** What takes a server's place; for a moment the address leads to one that takes no changes yet. */
async function failOver(primary: PostgresServer, standby: PostgresServer, relay: Relay): Promise<void> {
  await primary.kill();
  relay.leadTo(portOf(standby.url));
  await sleep(300);
  await runSql(standby.url, 'SELECT pg_promote()');
}

describeWithPostgres('all stores of a process over Postgres', (server) => {
  (isMounting ? it : it.skip)(
    'say that the disk of the database is full, lose nothing, and go on once there is room',
    async () => {
      const folder = join(dirname(server().data), 'small');
      const disk = await mountSmallDisk(folder, 64, server().data);
      const url = await createDatabase(server());
      const name = new URL(url).pathname.slice(1);
      // The log of transactions lies elsewhere: without room for that the server itself ends.
      await runSql(server().url, `CREATE TABLESPACE small LOCATION '${folder}'`);
      await runSql(server().url, `ALTER DATABASE ${name} SET TABLESPACE small`);
      try {
        await withReplica(url, async (replica) => {
          const ledger = new Ledger();
          const storeAll = () =>
            atOnce(replica, async (client, user) => {
              for (const kind of KINDS) await ledger.store(client, kind, user, noise());
            });
          await storeAll();
          expect(ledger.refusals).toEqual([]);
          await disk.fill(256 * 1_024);
          await atOnce(replica, async (client, user) => {
            for (const kind of KINDS) while (await ledger.store(client, kind, user, noise()));
          });
          expect(ledger.refusals).toEqual(Array.from({ length: 12 }, () => 'no_space'));
          await disk.makeRoom();
          await storeAll();
          expect(ledger.refusals).toHaveLength(12);
          await atOnce(replica, (client, user) => ledger.check(client, user));
        });
      } finally {
        await runSql(server().url, `DROP DATABASE ${name} WITH (FORCE)`, 'DROP TABLESPACE small');
        await disk.remove();
      }
    },
    240_000,
  );

  it('go on at a standby when the server is killed, with all that was acknowledged', async () => {
    const url = new URL(await createDatabase(server()));
    const standby = await startStandby(server());
    const relay = await startRelay(portOf(server().url));
    url.port = String(relay.port);
    try {
      await withReplica(url.href, async (replica) => {
        const ledger = new Ledger();
        let failover: Promise<void> | undefined;
        let isOver = false;
        await atOnce(replica, async (client, user) => {
          for (let after = 0; after < 8; ) {
            const wasOver = isOver;
            for (const kind of KINDS) if ((await ledger.store(client, kind, user)) && wasOver) after += 1;
            if (ledger.count < 60) continue;
            failover ??= failOver(server(), standby, relay).then(() => {
              isOver = true;
            });
          }
        });
        await failover;
        expect(ledger.refusals.length).toBeGreaterThan(0);
        for (const code of ledger.refusals) expect(code).toBe('unavailable');
        await atOnce(replica, (client, user) => ledger.check(client, user));
      });
    } finally {
      await relay.close();
      await standby.remove();
    }
  }, 240_000);
});
