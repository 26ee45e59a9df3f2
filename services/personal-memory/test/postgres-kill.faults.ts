import process from 'node:process';
import { createDatabase, describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { makeFolder, removeFolder } from './support/memory.ts';
import { type ServerProcess, startServer } from './support/server-process.ts';

const ROUNDS = toRounds(2, 20);
const LANES = [1, 2, 3, 4];

/** What was said to be stored, by its words, which nobody writes twice. */
type Acknowledged = Map<string, number>;

/** Writes from four sides until something ends that; nothing is written again. */
async function write(server: ServerProcess, acknowledged: Acknowledged, round: string, onWritten: () => void) {
  const writer = async (lane: number): Promise<void> => {
    for (let n = 0; ; n += 1) {
      const description = `round ${round} lane ${lane} 喝茶 ${n}`;
      const { event_id } = await server.ask('add_event', { event_type: 'activity', description });
      acknowledged.set(description, Number(event_id));
      onWritten();
    }
  };
  await Promise.allSettled(LANES.map(writer));
}

/** Everything acknowledged is there, under the id that was told, and nothing is there twice. */
async function check(server: ServerProcess, acknowledged: Acknowledged): Promise<void> {
  const { data } = await server.ask('export_data', { format: 'json' });
  const { events } = JSON.parse(String(data)) as { events: { description: string }[] };
  const all = events.map(({ description }) => description);
  expect(new Set(all).size).toBe(all.length);
  const held = new Set(all);
  expect([...acknowledged.keys()].filter((description) => !held.has(description))).toEqual([]);
  const [last] = [...acknowledged].slice(-1);
  const { event } = await server.ask('get_event', { event_id: last?.[1] });
  expect(event).toMatchObject({ description: last?.[0] });
}

describeWithPostgres('personal memory in Postgres', (server) => {
  const withServers = async (work: (start: () => Promise<ServerProcess>) => Promise<void>): Promise<void> => {
    const folder = makeFolder();
    const env = { PERSONAL_MEMORY_DATA_DIR: folder, DATABASE_URL: await createDatabase(server()) };
    await work(() => startServer([], env)).finally(() => removeFolder(folder));
  };

  it(`loses nothing acknowledged and has nothing twice when the process is killed ${ROUNDS} times`, async () => {
    await withServers(async (start) => {
      const acknowledged: Acknowledged = new Map();
      for (let round = 0; round < ROUNDS; round += 1) {
        const writing = await start();
        const killAt = acknowledged.size + 60 + 7 * round;
        await write(writing, acknowledged, String(round), () => {
          if (acknowledged.size === killAt) process.kill(writing.pid, 'SIGKILL');
        });
        const again = await start();
        await check(again, acknowledged);
        await again.close();
      }
      expect(acknowledged.size).toBeGreaterThan(100);
    });
  }, 1_200_000);

  it('loses nothing acknowledged and goes on when the database is killed and started again', async () => {
    await withServers(async (start) => {
      const acknowledged: Acknowledged = new Map();
      const writing = await start();
      let killing: Promise<void> | undefined;
      await write(writing, acknowledged, 'before', () => {
        if (acknowledged.size === 120) killing = server().kill();
      });
      await killing;
      await expect(writing.ask('query_profile')).rejects.toThrow(/DATABASE_URL/);
      await server().start();
      await check(writing, acknowledged);
      await writing.ask('add_event', { event_type: 'other', description: 'after' });
      await writing.close();
      expect(acknowledged.size).toBeGreaterThan(100);
    });
  }, 600_000);
});
