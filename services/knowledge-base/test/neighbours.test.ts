import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { liftByNeighbours, type Placed } from '../src/domain/neighbours.ts';
import { toPlace } from '../src/domain/places.ts';
import { NEIGHBOURS } from '../src/domain/tuning.ts';
import { describeEachEngine } from './support/engines.ts';
import type { TemporaryKnowledgeBase } from './support/service.ts';

const [next = 0] = NEIGHBOURS.fromBefore;
const [previous = 0] = NEIGHBOURS.fromAfter;
const at = (id: string, relevance: number, position: number, sequence = 's'): Placed => ({
  ...{ id, relevance, place: { sequence, position } },
});

describe('the place of a document', () => {
  it.each([
    [
      { sequence: 'chat-1', position: 3 },
      { sequence: 'chat-1', position: 3 },
    ],
    [{ sequence: 'chat-1' }, undefined],
    [{ position: 3 }, undefined],
    [{ sequence: 5, position: 3 }, undefined],
    [{ sequence: 'chat-1', position: '3' }, undefined],
    [{ sequence: 'chat-1', position: 2.5 }, undefined],
    [{}, undefined],
  ])('of metadata %j is %j', (metadata, place) => {
    expect(toPlace(metadata)).toEqual(place);
  });
});

describe('neighbours', () => {
  it('lift each other by their shares, more forwards than back, and nobody else', () => {
    const lifted = liftByNeighbours([
      at('question', 10, 4),
      at('answer', 0, 5),
      at('before', 0, 3),
      at('far', 0, 9),
      at('elsewhere', 0, 5, 'other'),
      { id: 'alone', relevance: 7, place: undefined },
    ]);
    expect(Object.fromEntries(lifted)).toEqual({
      question: 10,
      answer: 10 * next,
      before: 10 * previous,
      far: 0,
      elsewhere: 0,
      alone: 7,
    });
    expect(next).toBeGreaterThan(previous);
  });

  it('get more from a document that ends on a question', () => {
    const [asks, tells] = [true, false].map((endsAsking) =>
      liftByNeighbours([{ ...at('before', 10, 4), endsAsking }, at('after', 0, 5)]).get('after'),
    );
    expect(asks).toBe(10 * NEIGHBOURS.fromQuestion);
    expect(tells).toBe(10 * next);
  });

  it('lift once, though a document that was looked up was found before', () => {
    const twice = [at('question', 10, 4), at('answer', 1, 5), at('question', 10, 4), at('answer', 1, 5)];
    expect(liftByNeighbours(twice)).toEqual(liftByNeighbours(twice.slice(0, 2)));
  });

  it('keep the order of equals: what is more relevant among equal neighbours stays first', () => {
    const lifted = liftByNeighbours([at('a', 5, 1), at('b', 4, 3)]);
    expect(lifted.get('a') ?? 0).toBeGreaterThan(lifted.get('b') ?? 0);
  });
});

const say = (user: string, sequence: string, position: number, content: string) => ({
  doc_id: `${user}-${sequence}-${position}`,
  content,
  tags: [],
  metadata: { user_id: user, sequence, position },
});
const turns = [
  say('ann', 'may', 1, 'Ben: Where did you go on your holiday, Ann?'),
  say('ann', 'may', 2, 'Ann: Graz, it rained every single day.'),
  say('ann', 'may', 3, 'Ben: Poor you!'),
  say('ann', 'june', 1, 'Ben: My knee hurts.'),
  say('ann', 'june', 2, 'Ann: See a doctor.'),
  say('bob', 'may', 2, 'Bob: Lisbon, and the sun shone.'),
  say('bob', 'chat', 1, '小明：你养的猫叫什么名字？'),
  say('bob', 'chat', 2, '林夏：团子，三岁了。'),
];

describeEachEngine('a search over documents in a sequence', ({ open }) => {
  let base: TemporaryKnowledgeBase;
  const ask = async (query: string, user: string, top_k = 3) =>
    (await base.knowledgeBase.search({ query, top_k, metadata_filter: { user_id: user } })).map(({ id }) => id);

  beforeAll(async () => {
    base = await open();
    await base.knowledgeBase.add(turns);
  });
  afterAll(() => base.remove());

  it('finds the answer that shares no word with the question, next to what asks it', async () => {
    expect((await ask('Where did Ann go on holiday?', 'ann')).slice(0, 2).sort()).toEqual(['ann-may-1', 'ann-may-2']);
    expect((await ask('猫的名字', 'bob')).slice(0, 2).sort()).toEqual(['bob-chat-1', 'bob-chat-2']);
  });

  it("never brings another user's document that has the same place", async () => {
    expect((await ask('Where did Ann go on holiday?', 'ann', 10)).filter((id) => id.startsWith('bob'))).toEqual([]);
  });

  it("neither brings nor lifts another user's where stores are open to all and the filter alone keeps users apart", async () => {
    const shared = await open('off');
    const request = { query: 'Where did Ann go on holiday?', top_k: 10, metadata_filter: { user_id: 'ann' } };
    const explainAll = () => shared.knowledgeBase.search({ ...request, explain: true });
    await shared.knowledgeBase.add(turns.filter(({ metadata }) => metadata.user_id === 'ann'));
    const alone = await explainAll();
    await shared.knowledgeBase.add(turns.filter(({ metadata }) => metadata.user_id === 'bob'));
    expect(await explainAll()).toEqual(alone);
    await shared.remove();
  });

  it('brings no neighbour that the filter leaves out', async () => {
    const found = await base.knowledgeBase.search({
      query: 'Where did Ann go on holiday?',
      top_k: 5,
      metadata_filter: { user_id: 'ann', position: { $ne: 2 } },
    });
    expect(found.map(({ id }) => id)).not.toContain('ann-may-2');
    expect(found[0]?.id).toBe('ann-may-1');
  });

  it('scores within [0,1], best first', async () => {
    const found = await base.knowledgeBase.search({ query: 'Ann', top_k: 10, metadata_filter: { user_id: 'ann' } });
    const scores = found.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
  });
});
