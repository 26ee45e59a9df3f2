import { type MemoryType, memoryTypes } from '@contextloom/contracts/typed-memory';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { MemoryDraft } from '../../src/domain/memory.ts';
import type { TypedMemoryStore } from '../../src/domain/typed-memory-store.ts';
import { newUser } from '../support/service.ts';

/** A memory as the service hands it to a store. */
export function toDraft(type: MemoryType, content: string, more: Partial<MemoryDraft> = {}): MemoryDraft {
  return { type, content, importance: 5, details: {}, ...more };
}

const openTypes = memoryTypes.filter((type) => type !== 'knowledge_vault');
const texts: Readonly<Record<(typeof openTypes)[number], string>> = {
  core: '小林对花生过敏',
  episodic: 'Went sailing with Tess on the old harbour boat',
  semantic: '向量数据库用来查找相近的嵌入',
  procedural: 'Bleed the radiator, then check the boiler pressure',
  resource: 'https://example.com/handbook.pdf holds the onboarding handbook',
};

/** What every store of memories has to do. */
export function describeTypedMemoryStore(name: string, open: () => TypedMemoryStore): void {
  describe(name, () => {
    let store: TypedMemoryStore;
    let user = '';
    beforeEach(() => {
      store = open();
      user = newUser();
    });

    it.each(openTypes)(
      'finds what was added as %s, by its words and among its type, and reads it by its id',
      async (type) => {
        const content = texts[type];
        const { id: given, kind } = await store.add(user, toDraft(type, content));
        expect(given === undefined ? ['processed', 'queued'] : ['added']).toContain(kind);
        const [found, ...others] = await store.search(user, { query: content, types: [type], limit: 10 });
        const { id = '' } = found ?? {};
        expect([found, others]).toEqual([expect.objectContaining({ id: given ?? id, type, content }), []]);
        expect(await store.get(user, id)).toMatchObject({ id, type, content });
      },
    );

    it('searches the types that were asked for alone, and no more than the limit', async () => {
      for (const at of [1, 2, 3]) await store.add(user, toDraft('semantic', `Lighthouse fact number ${at}`));
      await store.add(user, toDraft('procedural', 'Lighthouse lamp: clean it, oil it, light it'));
      const ask = (types: readonly MemoryType[], limit: number) =>
        store.search(user, { query: 'lighthouse', types, limit });
      expect((await ask(['procedural'], 10)).map(({ type }) => type)).toEqual(['procedural']);
      expect(await ask(memoryTypes, 2)).toHaveLength(2);
      expect(await ask(memoryTypes, 10)).toHaveLength(4);
    });

    it('keeps users apart: in searches, reading and counts', async () => {
      const other = newUser();
      await store.add(user, toDraft('core', '我的护照在蓝色抽屉里'));
      const [{ id } = { id: '' }] = await store.search(user, { query: '护照', types: ['core'], limit: 1 });
      expect(await store.get(user, id)).toMatchObject({ id });
      expect(await store.search(other, { query: '护照 抽屉', types: memoryTypes, limit: 10 })).toEqual([]);
      expect(await store.get(other, id)).toBeUndefined();
      expect((await store.overview(other, memoryTypes, 10)).core?.total ?? 0).toBe(0);
      expect((await store.overview(user, memoryTypes, 10)).core?.total).toBe(1);
    });

    it('counts by type and shows the newest', async () => {
      await store.add(user, toDraft('semantic', 'A sextant measures angles'));
      await store.add(user, toDraft('semantic', 'A chronometer keeps the time of a meridian'));
      const { semantic, core } = await store.overview(user, ['semantic', 'core'], 1);
      expect([semantic?.total, core?.total ?? 0]).toEqual([2, 0]);
      expect(semantic?.newest.map(({ type }) => type)).toEqual(['semantic']);
    });

    it('knows no memory by an id that it never gave', async () => {
      expect(await store.get(user, 'mem-00000000000000000000000000000000')).toBeUndefined();
    });

    it('can be used', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });
  });
}
