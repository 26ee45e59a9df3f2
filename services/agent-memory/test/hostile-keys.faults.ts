import { silentLog } from '@contextloom/runtime';
import { attack } from '@contextloom/testing/hostile/attack';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { createAgentMemoryServer } from '../src/build-server.ts';
import { createMemoryApi } from '../src/http/api.ts';
import { restOperations, operations as tools } from '../src/operations/index.ts';
import { createFolder, DAY, openTestMemory } from './support/memory.ts';
import { saveSeed, seedFiles } from './support/seed.ts';

const ATTEMPTS = toRounds(400, 10_000);
const SECRET = 'quokka-lighthouse-7731';

it(`tells a key of one user nothing of another's workspace in ${ATTEMPTS} hostile attempts`, async () => {
  const folder = createFolder();
  saveSeed(folder.save);
  folder.save('MEMORY.md', `# Memory\n\n### 2026-02-01\nThe code is ${SECRET}.\n`);
  const { memory, changes } = await openTestMemory(folder);
  const added = await memory.add({
    content: `Said in passing: ${SECRET}.`,
    content_type: 'conversation',
    session: 'owner',
  });
  const options = { memory, userId: 'bob', version: '0', log: silentLog };
  const paths = Object.keys(seedFiles);
  // The memory writes ids into files by itself, when it first reads them.
  const read = (): readonly string[] => paths.map((path) => folder.read(path).replace(/<!-- id.*-->\n/g, ''));
  const before = read();
  const report = await attack(
    {
      name: 'agent-memory',
      operations: [...tools, ...restOperations],
      scope: 'user',
      own: 'ann',
      foreign: 'bob',
      factory: createAgentMemoryServer({ ...options, changes, isShared: false }),
      api: createMemoryApi(options),
      secret: SECRET,
      ids: [added.id, 'MEMORY.md', DAY],
      words: ['code', 'quokka'],
      uris: (name) => [
        ...paths.map((path) => `agent-memory://workspace/${path}`),
        `agent-memory://workspace/memory/${name}.md`,
        `agent-memory://workspace/${name}/../MEMORY.md`,
      ],
    },
    ATTEMPTS,
  );
  const after = read();
  await memory.close();
  folder.remove();
  expect(report.leaks).toEqual([]);
  expect(after).toEqual(before);
});
