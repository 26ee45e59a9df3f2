import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { KINDS, Ledger, USERS } from './support/ledger.ts';
import { atOnce, withReplica } from './support/replica.ts';

const ROUNDS = toRounds(7, 100);
/** Ends one connection of somebody else to this database, whichever. */
const CUT_ONE = `SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1) AS one`;

/** Cuts one connection after the other until it is told to end. */
function startCutting(url: string): () => Promise<number> {
  let isDone = false;
  const cutting = (async () => {
    let cuts = 0;
    for (; !isDone; await sleep(randomInt(5, 40))) cuts += (await runSql(url, CUT_ONE)).length;
    return cuts;
  })();
  return () => {
    isDone = true;
    return cutting;
  };
}

describeWithPostgres('all stores of a process over Postgres', (server) => {
  it('lose nothing and double nothing while any connection is cut and four clients store, search and forget', async () => {
    const url = await createDatabase(server());
    await withReplica(url, async (replica) => {
      const ledger = new Ledger();
      const isForgotten = (round: number) => round % 3 === 0;
      const stopCutting = startCutting(url);
      const working = atOnce(replica, async (client, user) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const other = `${user}-${round}`;
          for (const kind of KINDS) await ledger.store(client, kind, user);
          await client.callTool('knowledge-base__search_documents', { query: 'document', user_id: user });
          for (const kind of KINDS) await ledger.store(client, kind, other);
          if (isForgotten(round)) await ledger.forget(client, other);
        }
      });
      const cuts = await working.then(stopCutting, async (error: unknown) => {
        await stopCutting();
        throw error;
      });
      expect(cuts).toBeGreaterThan(20);
      expect(ledger.count).toBeGreaterThan(USERS.length * ROUNDS);
      for (const code of ledger.refusals) expect(code).toBe('unavailable');
      await atOnce(replica, async (client, user) => {
        await ledger.check(client, user);
        for (let round = 0; round < ROUNDS; round += 1) await ledger.check(client, `${user}-${round}`);
      });
    });
  }, 1_200_000);
});
