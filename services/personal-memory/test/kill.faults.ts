import process from 'node:process';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { makeFolder, removeFolder, type Scheme, schemes } from './support/memory.ts';
import { type ServerProcess, startServer } from './support/server-process.ts';

const ROUNDS = toRounds(2, 12);

/** Writes from three sides; at the acknowledgement that is given, the server is killed in the middle of the others. */
async function writeUntilKilled(server: ServerProcess, acknowledged: Set<number>, killAt: number): Promise<void> {
  let count = 0;
  const writer = async (lane: number): Promise<void> => {
    for (let n = 0; ; n += 1) {
      const { event_id } = await server.ask('add_event', {
        event_type: 'activity',
        description: `lane ${lane} 喝茶 ${n}`,
        related_entity_ids: [1],
      });
      acknowledged.add(Number(event_id));
      count += 1;
      if (count === killAt) process.kill(server.pid, 'SIGKILL');
    }
  };
  await Promise.allSettled([1, 2, 3].map(writer));
}

it.each(schemes)(
  'loses nothing acknowledged when the server is killed while it writes, in the %s store',
  async (storage: Scheme) => {
    const folder = makeFolder();
    const env = {
      PERSONAL_MEMORY_DATA_DIR: folder,
      STORAGE: storage,
      BACKUP_INTERVAL: '1',
      MAX_EVENTS_PER_QUERY: '1000',
    };
    const acknowledged = new Set<number>();
    try {
      const first = await startServer([], env);
      await first.ask('create_entity', { entity_type: 'person', name: 'Mei' });
      await first.close();
      for (let round = 0; round < ROUNDS; round += 1) {
        const server = await startServer([], env);
        await writeUntilKilled(server, acknowledged, 1 + Math.round((200 / ROUNDS) * round));
        const again = await startServer([], env);
        const ids = [...acknowledged].slice(-1_000);
        const { events } = await again.ask('search_events', { event_ids: ids, limit: 1_000 });
        expect(events).toHaveLength(ids.length);
        const { numbers: _numbers, total_events } = await again.ask('summarize_events', {
          group_by: 'entity',
          entity_id: 1,
        });
        expect(total_events).toBeGreaterThanOrEqual(acknowledged.size);
        await again.close();
      }
    } finally {
      removeFolder(folder);
    }
    expect(acknowledged.size).toBeGreaterThan(100);
  },
);

it('loses nothing when two servers write at once', async () => {
  const folder = makeFolder();
  const env = { PERSONAL_MEMORY_DATA_DIR: folder };
  const servers = await Promise.all([startServer([], env), startServer([], env)]);
  try {
    await Promise.all(
      servers.flatMap((server, at) =>
        Array.from({ length: 200 }, (_, n) =>
          server.ask('add_event', { event_type: 'activity', description: `${at} ${n}` }),
        ),
      ),
    );
    expect((await servers[0]?.ask('summarize_events', { group_by: 'type' }))?.['total_events']).toBe(400);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    removeFolder(folder);
  }
});

(process.platform === 'win32' ? it.skip : it)(
  'acknowledges nothing that the disk has no room for, and loses nothing before it',
  async () => {
    const folder = makeFolder();
    const env = { PERSONAL_MEMORY_DATA_DIR: folder, MAX_EVENTS_PER_QUERY: '1000' };
    try {
      const full = await startServer([], env, { maxFileKib: 1_024 });
      let acknowledged = 0;
      const add = () =>
        full.ask('add_event', { event_type: 'other', description: `${acknowledged} ${'x'.repeat(5_000)}` });
      const fill = async (): Promise<void> => {
        for (;;) {
          await add();
          acknowledged += 1;
        }
      };
      await expect(fill()).rejects.toThrow(/no space left|check its disk/);
      await full.close();
      const roomy = await startServer([], env);
      expect((await roomy.ask('summarize_events', { group_by: 'type' }))['total_events']).toBe(acknowledged);
      await roomy.ask('add_event', { event_type: 'other', description: 'there is room again' });
      await roomy.close();
      expect(acknowledged).toBeGreaterThan(10);
    } finally {
      removeFolder(folder);
    }
  },
);
