import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DescribeEngine } from './support/engines.ts';
import type { TemporaryKnowledgeBase } from './support/service.ts';

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

/** Describes what a search finds of documents in a sequence. */
export function describeSequences(describeEngine: DescribeEngine): void {
  describeEngine('a search over documents in a sequence', ({ open }) => {
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
}
