import { connectInMemory } from '@contextloom/testing';
import { attack } from '@contextloom/testing/hostile/attack';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { startLocalService } from '../../knowledge-base/test/support/local-service.ts';
import { operations } from '../src/operations/index.ts';
import { openTestServer, openTestStore } from './support/service.ts';

const ATTEMPTS = toRounds(400, 10_000);
const SECRET = 'quokka-lighthouse-7731';

it(`tells a key of one user nothing of another's memory in ${ATTEMPTS} hostile attempts`, async () => {
  const service = await startLocalService();
  const { factory, api } = await openTestServer('bob', { store: openTestStore(service.url) });
  const local = await connectInMemory(factory);
  const ids: string[] = [];
  for (const memory_type of ['core', 'semantic', 'knowledge_vault']) {
    const { structured, text } = await local.callTool('memory_add', { content: `The code is ${SECRET}.`, memory_type });
    const id: unknown = Reflect.get(Object(structured), 'memory_id');
    if (typeof id !== 'string') throw new Error(text);
    ids.push(id);
  }
  const kept = async (): Promise<string> => (await local.callTool('memory_get_profile')).text;
  const before = await kept();
  const report = await attack(
    {
      name: 'typed-memory',
      operations,
      factory,
      api,
      scope: 'user',
      own: 'ann',
      foreign: 'bob',
      secret: SECRET,
      ids: [...ids, 'bob'],
      words: ['code', 'quokka'],
      uris: (name) => [
        ...ids.flatMap((id) => [`mirix://memories/${id}`, `mirix://memories/${id}?user_id=${name}`]),
        `mirix://memory/stats?user_id=${name}`,
        'mirix://memory/stats',
        `mirix://memories/${name}`,
      ],
    },
    ATTEMPTS,
  );
  const after = await kept();
  await local.close();
  await service.stop();
  expect(report.leaks).toEqual([]);
  expect(after).toBe(before);
});
