import { type DocumentInput, listRequestSchema, searchRequestSchema } from '@contextloom/contracts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { DescribeEngine } from './support/engines.ts';
import type { TemporaryKnowledgeBase } from './support/service.ts';

/** The user who is forgotten, and the texts that nobody else has. */
export const ANN = 'ann-7f3a91';
export const SECRETS: readonly string[] = [ANN, 'Zanzibar', '桑给巴尔的老茶馆', 'spice-market'];

const toDocument = (user: string, at: number): DocumentInput => ({
  doc_id: `${user}-${at}`,
  content:
    user === ANN ? `Zanzibar ${at}: 桑给巴尔的老茶馆 ${'by the quay '.repeat(at % 7)}` : `Bergen ${at} by the quay`,
  tags: [user === ANN ? 'spice-market' : 'fish-market'],
  metadata: { user_id: user, importance: at % 10 },
});

/** Documents of ann's and of bob's, alternating, some of which were replaced by shorter ones. */
export async function fill({ knowledgeBase }: Pick<TemporaryKnowledgeBase, 'knowledgeBase'>): Promise<void> {
  for (let at = 0; at < 30; at += 1) {
    await knowledgeBase.add([toDocument(ANN, at), toDocument('bob', at)]);
    if (at % 5 === 0) {
      await knowledgeBase.update({ id: `${ANN}-${at}`, userId: ANN }, { content: 'short' });
    }
  }
  await knowledgeBase.add([{ doc_id: 'everybody', content: 'a quay for everybody', tags: [], metadata: {} }]);
}

/** What the other user is answered. */
export const bobs = ({ knowledgeBase }: Pick<TemporaryKnowledgeBase, 'knowledgeBase'>) =>
  Promise.all([
    knowledgeBase.find(searchRequestSchema.parse({ query: 'the quay in Bergen', user_id: 'bob', top_k: 20 })),
    knowledgeBase.list(listRequestSchema.parse({ user_id: 'bob', limit: 100 })),
    knowledgeBase.stats('bob'),
  ]);

/** What forgetting a user comes to in every store. */
export const describeForgetting = (describeEngine: DescribeEngine): void =>
  describeEngine('a user who is forgotten', ({ open }) => {
    let opened: TemporaryKnowledgeBase;
    beforeEach(async () => {
      opened = await open();
      await fill(opened);
    });
    afterEach(() => opened.remove());
    const totalOf = async (isDryRun: boolean) => {
      const { erased } = await opened.knowledgeBase.forget(ANN, isDryRun);
      return erased.reduce((sum, { count }) => sum + count, 0);
    };

    it('has nothing left, and the others have what they had', async () => {
      const before = await bobs(opened);
      expect(await totalOf(true)).toBe(30);
      expect(await totalOf(false)).toBe(30);
      expect(await totalOf(true)).toBe(0);
      expect(await totalOf(false)).toBe(0);
      expect((await opened.knowledgeBase.stats(ANN)).document_count).toBe(0);
      const found = await opened.knowledgeBase.search(searchRequestSchema.parse({ query: 'Zanzibar', user_id: ANN }));
      expect(found.filter(({ id }) => id.startsWith(ANN))).toEqual([]);
      expect(await bobs(opened)).toEqual(before);
    });

    it('is erased while the others write, and may begin again', async () => {
      const writes = Array.from({ length: 20 }, (_, at) => opened.knowledgeBase.add([toDocument('bob', 100 + at)]));
      await Promise.all([totalOf(false), ...writes]);
      expect((await opened.knowledgeBase.stats('bob')).document_count).toBe(50);
      expect((await opened.knowledgeBase.stats(ANN)).document_count).toBe(0);
      await opened.knowledgeBase.add([toDocument(ANN, 0)]);
      expect(await totalOf(true)).toBe(1);
    });
  });
