import { silentLog } from '@contextloom/runtime';
import { attack } from '@contextloom/testing/hostile/attack';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { createProjectMemoryApi, createProjectMemoryServer } from '../src/build-server.ts';
import { createMetrics } from '../src/metrics.ts';
import { operations } from '../src/operations/index.ts';
import { openEmbedded } from './support/databases.ts';
import { createMemory, NOW, openStore } from './support/memory.ts';

const ATTEMPTS = toRounds(400, 10_000);
/** Longer than the databases' own tests take, in milliseconds. */
const TIMEOUT_MS = 1_800_000;
const SECRET = 'quokka-lighthouse-7731';

it(
  `tells a key of one project nothing of others in ${ATTEMPTS} hostile attempts`,
  async () => {
    const opened = await openEmbedded();
    const { memory, ownerId } = createMemory(await openStore(opened));
    const ids: string[] = [];
    for (const project_key of ['harbour', 'Loom', 'loom2']) {
      const ingest = async (content: string, replaces?: string): Promise<string> =>
        (await memory.ingest({ project_key, content_type: 'insight', content, replaces })).id;
      const id = await ingest(`The first code was ${SECRET}.`);
      ids.push(await ingest(`The code is ${SECRET}.`, id));
    }
    await memory.ingest({
      project_key: 'other',
      project_name: 'loom',
      content_type: 'plan',
      content: `Of a namesake: ${SECRET}`,
    });
    await memory.link({ fromId: ids[0] ?? '', toId: ids[1] ?? '', relation: 'tests' });
    const options = { ownerId, version: '0', log: silentLog, open: async () => memory };
    const kept = async () => [
      await memory.get(ids),
      await memory.links(ids[0] ?? ''),
      await memory.newest({ project_key: 'harbour' }, 100),
    ];
    const before = await kept();
    const report = await attack(
      {
        name: 'project-memory',
        operations,
        scope: 'project',
        own: 'loom',
        foreign: 'harbour',
        secret: SECRET,
        factory: createProjectMemoryServer(options),
        api: createProjectMemoryApi({ ...options, clock: () => NOW, token: undefined, metrics: createMetrics() }),
        ids: [...ids, ids, 1, 2, 3, ownerId],
        words: ['code', 'quokka'],
        uris: () => [],
      },
      ATTEMPTS,
    );
    const after = await kept();
    await opened.close();
    expect(report.leaks).toEqual([]);
    expect(report.answered).toBeGreaterThan(ATTEMPTS / 100);
    expect(after).toEqual(before);
  },
  TIMEOUT_MS,
);
