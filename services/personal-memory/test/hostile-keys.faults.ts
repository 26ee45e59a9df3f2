import { silentLog } from '@contextloom/runtime';
import { createApi } from '@contextloom/server-kit';
import { connectInMemory } from '@contextloom/testing';
import { attack } from '@contextloom/testing/hostile/attack';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { operations } from '../src/operations/index.ts';
import { createServer, makeFolder, openStore, removeFolder, schemes } from './support/memory.ts';

const ATTEMPTS = toRounds(300, 5_000);
const SECRET = 'quokka-lighthouse-7731';
/** Users whose names come near the caller's. */
const others = ['bob', 'Ann', 'ann '];

it.each(schemes)(
  `tells a key of one user nothing of others in ${ATTEMPTS} hostile attempts, users kept %s`,
  async (scheme) => {
    const folder = makeFolder();
    const store = openStore(folder, scheme);
    const factory = createServer(store, { userId: undefined });
    const local = await connectInMemory(factory);
    const ids: unknown[] = [];
    const say = async (tool: string, args: Record<string, unknown>): Promise<void> => {
      const { isError, structured, text } = await local.callTool(tool, args);
      if (isError) throw new Error(text);
      ids.push(...Object.values(structured as object).filter((value) => typeof value === 'number'));
    };
    for (const user_id of others) {
      await say('update_profile', { user_id, key: 'code', value: SECRET });
      await say('create_entity', { user_id, entity_type: 'pet', name: `Rex ${SECRET}`, attributes: { code: SECRET } });
      await say('add_event', {
        user_id,
        event_type: 'purchase',
        description: `Bought ${SECRET}`,
        metadata: { cost: 5 },
      });
    }
    const exported = (): Promise<readonly string[]> =>
      Promise.all(others.map(async (user_id) => (await local.callTool('export_data', { user_id })).text));
    const before = await exported();
    const report = await attack(
      {
        name: 'personal-memory',
        operations,
        factory,
        scope: 'user',
        own: 'ann',
        foreign: 'bob',
        secret: SECRET,
        api: createApi({ title: 'n', description: 'n', version: '0', routes: [], deps: undefined, log: silentLog }),
        ids: [...ids, ...others],
        words: ['code', 'Rex', 'quokka', 'lighthouse'],
        uris: (name) => [
          `memory://trends/all.svg?user_id=${name}`,
          `memory://trends/purchase.svg?user_id=ann&user_id=${name}`,
          `memory://trends/${name}.svg`,
        ],
      },
      ATTEMPTS,
    );
    const after = await exported();
    await local.close();
    await store.close();
    removeFolder(folder);
    expect(report.leaks).toEqual([]);
    expect(report.answered).toBeGreaterThan(ATTEMPTS / 100);
    expect(after).toEqual(before);
  },
);
