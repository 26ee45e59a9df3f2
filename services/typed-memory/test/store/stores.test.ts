import { memoryTypes } from '@contextloom/contracts/typed-memory';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalService, startLocalService } from '../../../knowledge-base/test/support/local-service.ts';
import type { TypedMemoryStore } from '../../src/domain/typed-memory-store.ts';
import { newUser, openTestStore } from '../support/service.ts';
import { describeTypedMemoryStore, toDraft } from './typed-memory-store.contract.ts';

let service: LocalService | undefined;
beforeAll(async () => {
  service = await startLocalService();
});
afterAll(() => service?.stop());

const openOnKnowledgeBase = (): TypedMemoryStore => openTestStore(service?.url ?? '');
describeTypedMemoryStore('memories in the knowledge base', openOnKnowledgeBase);

describe('memories in the knowledge base', () => {
  it('are stored once, however often they are added', async () => {
    const [store, user] = [openOnKnowledgeBase(), newUser()];
    const draft = toDraft('semantic', 'Kelp is an alga');
    const outcomes = await Promise.all([store.add(user, draft), store.add(user, draft), store.add(user, draft)]);
    expect(new Set(outcomes.map(({ id }) => id)).size).toBe(1);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['added', 'known', 'known']);
    expect((await store.overview(user, ['semantic'], 5)).semantic?.total).toBe(1);
  });

  it('update a core fact in place and keep what it said before, though many values come at once', async () => {
    const [store, user] = [openOnKnowledgeBase(), newUser()];
    const towns = ['Berlin', 'Chengdu', 'Porto', 'Oslo', 'Quito'];
    await Promise.all(towns.map((town) => store.add(user, toDraft('core', `I live in ${town}`, { key: 'city' }))));
    const { core } = await store.overview(user, ['core'], 5);
    const [fact] = core?.newest ?? [];
    const said = [fact?.content, ...(fact?.previous ?? []).map(({ content }) => content)];
    expect(core?.total).toBe(1);
    expect(said.sort()).toEqual(towns.map((town) => `I live in ${town}`).sort());
  });

  it('have one truth and lose no value though two programs tell one fact at once, the first time too', async () => {
    const user = newUser();
    const programs = [openOnKnowledgeBase(), openOnKnowledgeBase()];
    const values = Array.from({ length: 6 }, (_, at) => `I live in town ${at}`);
    const outcomes = await Promise.all(
      values.map((value, at) => programs[at % 2]?.add(user, toDraft('core', value, { key: 'city' }))),
    );
    expect(outcomes.map((outcome) => outcome?.kind).sort()).toEqual(['added', ...Array(5).fill('updated')]);
    const { core } = (await programs[0]?.overview(user, ['core'], 5)) ?? {};
    const [fact] = core?.newest ?? [];
    const said = [fact?.content, ...(fact?.previous ?? []).map(({ content }) => content)];
    expect([core?.total, said.sort()]).toEqual([1, values]);
  });

  it('are what prompts are built from, in passages where they are long, but for the vault', async () => {
    const [store, user] = [openOnKnowledgeBase(), newUser()];
    await store.add(user, toDraft('core', 'Ann is allergic to plums', { importance: 9 }));
    await store.add(user, toDraft('resource', `${'A page of the tide tables. '.repeat(300)}Plums grow at the pier.`));
    const label = { id: `mem-${user}`, sealed: 'v1.x.y' };
    await store.add(user, toDraft('knowledge_vault', 'the plum safe', label));
    const body = JSON.stringify({ query: 'plum', tags: ['memory'], user_id: user, top_k: 50 });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const { results } = (await (await fetch(`${service?.url}/search`, init)).json()) as {
      results: readonly { content: string; metadata: Readonly<Record<string, unknown>> }[];
    };
    expect(results.map(({ content }) => content)).toContain('Ann is allergic to plums');
    expect(results.some(({ content }) => content.includes('Plums grow at the pier.'))).toBe(true);
    expect(results.filter(({ metadata }) => metadata['memory_type'] === 'knowledge_vault')).toEqual([]);
    expect(results.every(({ metadata }) => metadata['passages'] === undefined)).toBe(true);
    expect(results[0]?.metadata).toMatchObject({ created_at: expect.stringMatching(/^\d{4}-/u) });
  });

  it('find a passage deep in a megabyte, and read all of it', async () => {
    const [store, user] = [openOnKnowledgeBase(), newUser()];
    const filler = '潮汐表的一页，记着水位和时刻。Line of the ledger. '.repeat(11_000);
    const content = `${filler}The lamp keeper's name was Ottilie. ${filler}`.slice(0, 1_000_000);
    const { id = '' } = await store.add(user, toDraft('resource', content));
    const [found] = await store.search(user, {
      query: 'name of the lamp keeper Ottilie',
      types: memoryTypes,
      limit: 3,
    });
    expect([found?.id, found?.isPassage]).toEqual([id, true]);
    expect(found?.content).toContain('Ottilie');
    expect(found?.content.length).toBeLessThan(5_000);
    expect((await store.get(user, id))?.content).toBe(content);
  });

  it('are not hidden by the many passages of a long one', async () => {
    const [store, user] = [openOnKnowledgeBase(), newUser()];
    await store.add(user, toDraft('resource', 'The harbour crane lifts barrels. '.repeat(10_000)));
    const { id } = await store.add(user, toDraft('semantic', 'A harbour crane is inspected yearly'));
    const found = await store.search(user, { query: 'harbour crane', types: memoryTypes, limit: 5 });
    expect(found.map((memory) => memory.id)).toContain(id);
    expect(found).toHaveLength(2);
  });

  it('are found by their context, which is no part of their words', async () => {
    const [store, user] = [openOnKnowledgeBase(), newUser()];
    await store.add(user, toDraft('semantic', 'It takes forty minutes', { context: 'ferry to the island' }));
    const [found] = await store.search(user, { query: 'ferry', types: memoryTypes, limit: 1 });
    expect(found).toMatchObject({ content: 'It takes forty minutes', context: 'ferry to the island' });
  });

  it('show the events that happened last, whenever they were told', async () => {
    const [store, user] = [openOnKnowledgeBase(), newUser()];
    for (const year of [2019, 2024, 2021]) {
      await store.add(user, toDraft('episodic', `Regatta of ${year}`, { occurredAt: `${year}-06-01T00:00:00.000Z` }));
    }
    const { episodic } = await store.overview(user, ['episodic'], 2);
    expect(episodic?.newest.map(({ content }) => content)).toEqual(['Regatta of 2024', 'Regatta of 2021']);
  });
});
