import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { type Installation, type Place, startApart, startTogether } from './support/installation.ts';
import { KINDS, Ledger, USERS } from './support/ledger.ts';
import { CUT, createPatientClient } from './support/patient-client.ts';

/** How often each process is killed. */
const KILLS = toRounds(1, 20);
const ERAS = ['2025-11-25', '2026-07-28'];

/** Kills every process so many times, in any order, each once some more was acknowledged. */
async function killAll({ processes }: Installation, ledger: Ledger): Promise<number> {
  const turns = processes.flatMap((one) => Array.from({ length: KILLS }, () => ({ one, order: Math.random() })));
  for (const { one } of turns.sort((a, b) => a.order - b.order)) {
    const enough = ledger.acknowledged + randomInt(1, 12);
    while (ledger.acknowledged < enough) await sleep(randomInt(5, 50));
    await one.restart('SIGKILL');
  }
  return turns.length;
}

/** Stores, searches, imports and forgets until it is told to end; answers whom it stored something of. */
async function work(installation: Installation, at: number, ledger: Ledger, isDone: () => boolean) {
  const client = createPatientClient(() => installation.connect(ERAS[at % ERAS.length]));
  const user = USERS[at] ?? '';
  const users = [user];
  for (let round = 0; !isDone(); round += 1) {
    for (const kind of KINDS) await ledger.store(client, kind, user);
    await client.callTool('knowledge-base__search_documents', { query: 'document', user_id: user });
    const other = `${user}-${round}`;
    users.push(other);
    for (const kind of KINDS) await ledger.store(client, kind, other);
    await ledger.import(client, round % 2 === 0 ? user : other);
    if (round % 3 === 0) await ledger.forget(client, other);
  }
  await client.close();
  return users;
}

async function killAndCheck(start: (place: Place) => Promise<Installation>, place: Place): Promise<void> {
  const installation = await start(place);
  try {
    const ledger = new Ledger();
    let isDone = false;
    const working = Promise.all(USERS.map((_, at) => work(installation, at, ledger, () => isDone)));
    // What fails in a client ends the killing too.
    const kills = await Promise.race([killAll(installation, ledger), working.then(() => 0)]);
    isDone = true;
    const users = (await working).flat();
    const counts = { kills, users: users.length, acknowledged: ledger.acknowledged, refused: ledger.refusals.length };
    process.stderr.write(`${start.name}: ${JSON.stringify({ ...counts, codes: [...new Set(ledger.refusals)] })}\n`);
    expect(ledger.acknowledged).toBeGreaterThan(kills);
    for (const code of ledger.refusals) expect(['unavailable', 'timeout', CUT]).toContain(code);
    const client = createPatientClient(() => installation.connect());
    for (const user of users) await ledger.check(client, user);
    await client.close();
  } finally {
    await installation.stop();
  }
}

const LIMIT = 1_800_000;
const PROMISE = 'lose nothing, double nothing and end every job while any of them is killed and four clients work';

it.each([startTogether, startApart])(`%p over SQLite: ${PROMISE}`, (start) => killAndCheck(start, {}), LIMIT);

describeWithPostgres('over Postgres', (server) => {
  it.each([startTogether, startApart])(
    `%p: ${PROMISE}`,
    async (start) => killAndCheck(start, { databaseUrl: await createDatabase(server()) }),
    LIMIT,
  );
});
