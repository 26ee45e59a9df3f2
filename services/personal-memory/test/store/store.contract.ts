import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toSearchable } from '../../src/domain/context.ts';
import type { MemoryEvent } from '../../src/domain/model.ts';
import type { MemoryStore, UserMemory } from '../../src/domain/store.ts';
import { embed, makeFolder, removeFolder } from '../support/memory.ts';

const NOW = Date.parse('2025-10-28T12:00:00Z');

export const toEvent = (description: string, more: Partial<MemoryEvent> = {}): Omit<MemoryEvent, 'id'> => ({
  type: 'activity',
  description,
  entityIds: [],
  metadata: {},
  tags: [],
  time: NOW,
  importance: 0.5,
  parentId: null,
  ...more,
});

/** Stores an event without the words of its text looked at by anybody. */
export async function storeEvent(store: MemoryStore, user: string, event: Omit<MemoryEvent, 'id'>): Promise<number> {
  const text = await toSearchable(event.description, { embed });
  return store.use(user, (memory) => memory.change((writer) => writer.addEvent(event, NOW, text)));
}

/** Where a store is in a test: each folder that is given is another one. */
export interface StoreSite {
  readonly name: string;
  readonly open: (folder: string) => MemoryStore | Promise<MemoryStore>;
  /** Whether the memories are files in the folder, which are backed up. */
  readonly hasFiles: boolean;
}

/** What every store of memories keeps to. */
export function describeStore({ name, open, hasFiles }: StoreSite): void {
  describe(`the ${name} store`, () => {
    let folder: string;
    let store: MemoryStore;
    beforeEach(async () => {
      folder = makeFolder();
      store = await open(folder);
    });
    afterEach(async () => {
      await store.close();
      removeFolder(folder);
    });
    const reopen = async (): Promise<void> => {
      await store.close();
      store = await open(folder);
    };
    const events = (user: string) =>
      store.use(user, async (memory) => (await memory.events()).map(({ description }) => description));

    it('has what was written after it was closed and opened again', async () => {
      const id = await storeEvent(store, 'ann', toEvent('a walk', { metadata: { n: 1, list: [null, { a: '茶' }] } }));
      await reopen();
      expect(await store.use('ann', (memory) => memory.events())).toEqual([
        { ...toEvent('a walk', { metadata: { n: 1, list: [null, { a: '茶' }] } }), id },
      ]);
    });

    it('lists newest first, and of one moment the one stored last', async () => {
      for (const [description, time] of [
        ['old', NOW - 5],
        ['first', NOW],
        ['second', NOW],
      ] as const) {
        await storeEvent(store, 'ann', toEvent(description, { time }));
      }
      expect(await events('ann')).toEqual(['second', 'first', 'old']);
    });

    it('undoes all of a change that fails', async () => {
      const change = store.use('ann', (memory) =>
        memory.change(async (writer) => {
          await writer.addEntity({
            type: 'pet',
            name: 'x',
            aliases: [],
            attributes: {},
            tags: [],
            status: 'active',
            createdAt: 0,
            updatedAt: 0,
          });
          throw new Error('stop');
        }),
      );
      await expect(change).rejects.toThrow('stop');
      expect(await store.use('ann', (memory) => memory.entities())).toEqual([]);
    });

    it.each(['../../etc', 'a/b', 'ANN', 'ann ', '用户', 'x'.repeat(256), '.', '%00'])(
      'keeps the user %j apart from all others, inside of its folder',
      async (user) => {
        await storeEvent(store, user, toEvent('mine'));
        await storeEvent(store, 'ann', toEvent('hers'));
        expect([await events(user), await events('ann'), await events('nobody')]).toEqual([['mine'], ['hers'], []]);
        expect(await store.users()).toEqual([user, 'ann'].sort());
        expect(readdirSync(folder).filter((name) => !/^(users|memory\.db(-wal|-shm)?)$/.test(name))).toEqual([]);
      },
    );

    it('treats the ids of another user as unknown, in every change', async () => {
      const id = await storeEvent(store, 'ann', toEvent('hers'));
      const entity = {
        type: 'pet' as const,
        name: 'Biscuit',
        aliases: ['Bis'],
        attributes: {},
        tags: [],
        status: 'active' as const,
        createdAt: 0,
        updatedAt: 0,
      };
      const entityId = await store.use('ann', (memory) => memory.change((writer) => writer.addEntity(entity)));
      await store.use('eve', (memory) =>
        memory.change(async (writer) => {
          expect(await writer.deleteEvent(id)).toBe(false);
          expect(await writer.entity(entityId)).toBeUndefined();
          await writer.putEntity({ ...entity, id: entityId, name: 'stolen' });
          await writer.addAlias(entityId, 'stolen');
          expect(await writer.events({ ids: [id] })).toEqual([]);
          expect(await writer.events({ entityId })).toEqual([]);
          expect(await writer.relations(entityId)).toEqual([]);
        }),
      );
      expect(await store.use('ann', (memory) => memory.entity(entityId))).toMatchObject({
        name: 'Biscuit',
        aliases: ['Bis'],
      });
      expect(await events('ann')).toEqual(['hers']);
    });

    it('runs changes that come at once one after the other, each upon what the one before wrote', async () => {
      const rename = (memory: UserMemory) =>
        memory.change(async (writer) => {
          const [event] = await writer.events();
          if (event === undefined) throw new Error('the event is gone');
          await writer.putEvent({ ...event, description: `${event.description}+` }, text);
        });
      const text = await toSearchable('a walk', { embed });
      await storeEvent(store, 'ann', toEvent('n'));
      await Promise.all(Array.from({ length: 40 }, () => store.use('ann', rename)));
      expect(await events('ann')).toEqual([`n${'+'.repeat(40)}`]);
    });

    it('shows nobody what a change has not finished', async () => {
      await storeEvent(store, 'ann', toEvent('before'));
      const text = await toSearchable('a walk', { embed });
      await store.use('ann', (memory) =>
        memory.change(async (writer) => {
          await writer.addEvent(toEvent('during'), NOW, text);
          expect(await events('ann')).toEqual(['before']);
        }),
      );
      expect(await events('ann')).toEqual(['during', 'before']);
    });

    it("finds a user's own texts alone", async () => {
      await storeEvent(store, 'ann', toEvent('喝茶 with Mei'));
      await storeEvent(store, 'eve', toEvent('喝茶 alone'));
      const text = await toSearchable('喝茶', { embed });
      const { hits } = await store.use('eve', (memory) => memory.searchEvents({ text, limit: 10 }, {}));
      expect(hits).toHaveLength(1);
    });

    it('serves many users at once, more than it keeps open', async () => {
      const users = Array.from({ length: 7 }, (_, at) => `user-${at}`);
      await Promise.all(
        users.flatMap((user) => [1, 2, 3].map((n) => storeEvent(store, user, toEvent(`${user} ${n}`)))),
      );
      for (const user of users) expect((await events(user)).sort()).toEqual([1, 2, 3].map((n) => `${user} ${n}`));
      expect(await store.users()).toEqual(users);
    });

    (hasFiles ? it : it.skip)('copies what changed when a copy is due, and keeps the newest', async () => {
      await storeEvent(store, 'ann', toEvent('first'));
      const backups = join(folder, 'backups');
      const plan = { folder: backups, minAgeMs: 0, keep: 2 };
      const now = () => new Date(Date.now() + 60_000);
      expect(await store.backUp({ ...plan, now: now() })).toHaveLength(1);
      expect(await store.backUp({ ...plan, now: now(), minAgeMs: 3_600_000 })).toEqual([]);
      for (const description of ['second', 'third']) {
        await storeEvent(store, 'ann', toEvent(description));
        // A copy made in the same tick of the file system's clock cannot be told from the write.
        while ((await store.backUp({ ...plan, now: now() })).length === 0)
          await storeEvent(store, 'ann', toEvent('tick'));
      }
      expect(existsSync(backups) && readdirSync(backups)).toHaveLength(2);
    });
  });
}
