import { searchRequestSchema } from '@contextloom/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTemporary, type TemporaryKnowledgeBase } from './support/service.ts';

let opened: TemporaryKnowledgeBase;
const contents = [
  'My sister Bea married Tom at the old mill in June.',
  'I play second cello in the community orchestra on Tuesdays.',
  'The passport runs out in November.',
  '周敏在儿童医院当护士，常常上夜班。',
  '我对花生过敏，吃了会起红疹。',
];
beforeAll(async () => {
  opened = await openTemporary();
  await opened.knowledgeBase.add(
    contents.map((content, at) => ({ doc_id: `d${at}`, content, tags: ['memory'], metadata: {} })),
  );
  await opened.knowledgeBase.add([
    { doc_id: 'keyed', content: 'See the letter.', tags: [], metadata: {}, keys: ['The landlord kept the deposit.'] },
  ]);
});
afterAll(() => opened.remove());

const search = (query: string, more: object = {}) =>
  opened.knowledgeBase.search(searchRequestSchema.parse({ query, ...more }));

const find = (query: string, more: object = {}) =>
  opened.knowledgeBase.find(searchRequestSchema.parse({ query, ...more }));

describe('a search', () => {
  it.each(['What is quantum chromodynamics?', 'Who wrote Moby-Dick?', '什么是量子色动力学？', '谁的专业是敏捷开发？'])(
    'says that nothing is relevant where nothing fits: %s',
    async (query) => {
      for (const { relevance } of await search(query)) expect(relevance).toBeLessThan(0.1);
      expect(await search(query, { min_score: 0.1 })).toEqual([]);
      expect(await search(query, { min_score: 0.1, priority_tags: ['memory'] })).toEqual([]);
    },
  );

  it('returns up to top_k in order, however little they fit, and leaves out only what is below min_score', async () => {
    const ids = (await search('When does my passport run out?', { top_k: 50 })).map(({ id }) => id);
    expect(ids[0]).toBe('d2');
    expect(ids.length).toBeGreaterThan(1);
    const few = await search('When does my passport run out?', { top_k: 50, min_score: 0.5 });
    expect(few.map(({ id }) => id)).toEqual(['d2']);
  });

  it('says how relevant the best was where nothing is returned, and no such thing beside hits', async () => {
    const far = await find('Which orchestra does Owen conduct?', { min_score: 0.9 });
    expect(far.results).toEqual([]);
    expect(far.nearest_score).toBeGreaterThan(0.2);
    expect(far.nearest_score).toBeLessThan(0.5);
    const near = await find('Who married Tom at the mill?');
    expect(near).not.toHaveProperty('nearest_score');
    // Of all that was found: what `top_k` leaves out counts too.
    expect(near.confidence).toBeGreaterThan(0.3);
  });

  it('takes a greeting for no question', async () => {
    for (const { relevance } of await search('Good morning!')) expect(relevance).toBe(0);
  });

  it('tells how much of the question is told, not only which hit is best', async () => {
    const [whole] = await search('Who married Tom at the mill?');
    const [part] = await search('Which orchestra does Owen conduct?');
    expect(whole?.id).toBe('d0');
    expect(whole?.relevance).toBeGreaterThan(0.9);
    expect(part?.id).toBe('d1');
    expect(part?.relevance).toBeLessThan(0.5);
  });

  it('holds hits to the relevance that the caller names', async () => {
    expect(await search('Which orchestra does Owen conduct?', { min_score: 0.6 })).toEqual([]);
    expect(await search('我对什么过敏？', { min_score: 0.6 })).not.toEqual([]);
  });

  it('finds a document by its keys', async () => {
    expect((await search('Who kept the deposit?'))[0]?.id).toBe('keyed');
  });

  it('lists everything for an empty query', async () => {
    expect(await search('')).toHaveLength(5);
    expect(await search('', { top_k: 10 })).toHaveLength(6);
  });
});
