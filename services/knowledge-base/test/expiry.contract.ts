import { EXPIRY_KEY, listRequestSchema, RETRACTION_TAG, searchRequestSchema } from '@contextloom/contracts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createKnowledgeBase, type LocalKnowledgeBase } from '../src/domain/local-knowledge-base.ts';
import type { DocumentStore } from '../src/domain/store.ts';
import type { DescribeEngine, StoreSite } from './support/engines.ts';
import { embedder } from './support/stores.ts';

const user_id = 'ann';
const START = Date.parse('2026-03-01T09:00:00Z');
const HOUR = 3_600_000;
const inHours = (hours: number): string => new Date(START + hours * HOUR).toISOString();

/** What happens in every engine to what has a time to live. */
export const describeExpiry = (describeEngine: DescribeEngine): void =>
  describeEngine('a document that expires', ({ openSite }) => {
    let site: StoreSite;
    let store: DocumentStore;
    let time: number;
    let knowledgeBase: LocalKnowledgeBase;

    beforeEach(async () => {
      site = await openSite();
      store = await site.open();
      time = START;
      knowledgeBase = createKnowledgeBase({
        store,
        embedder,
        isolation: 'strict',
        clock: () => new Date(time),
        newId: () => 'id',
        toLifetime: ({ tags }) => (tags.includes('passing') ? 2 * HOUR : undefined),
      });
      const metadata = { user_id };
      await knowledgeBase.add([
        { doc_id: 'gone', content: 'Zanzibar by the quay', tags: [], metadata, expires_at: inHours(1) },
        { doc_id: 'kept', content: 'Bergen by the quay', tags: [], metadata },
        { doc_id: 'passing', content: 'Oslo by the quay', tags: ['passing'], metadata },
      ]);
    });
    afterEach(async () => {
      await knowledgeBase.close();
      await site.remove();
    });

    const search = async () => {
      const found = await knowledgeBase.search(searchRequestSchema.parse({ query: 'by the quay', user_id, top_k: 20 }));
      return found.map(({ id }) => id).sort();
    };
    const list = async () => (await knowledgeBase.list(listRequestSchema.parse({ user_id }))).documents;

    it('is there until then, and shown by nothing from then on, whether it was erased or not', async () => {
      expect(await search()).toEqual(['gone', 'kept', 'passing']);
      time = START + HOUR - 1;
      expect(await search()).toEqual(['gone', 'kept', 'passing']);
      time = START + HOUR;
      expect(await search()).toEqual(['kept', 'passing']);
      expect((await list()).map(({ id }) => id).sort()).toEqual(['kept', 'passing']);
      await expect(knowledgeBase.get({ id: 'gone', userId: user_id })).rejects.toMatchObject({ code: 'not_found' });
      await expect(knowledgeBase.update({ id: 'gone', userId: user_id }, { content: 'again' })).rejects.toMatchObject({
        code: 'not_found',
      });
      time = START + 2 * HOUR;
      expect(await search()).toEqual(['kept']);
    });

    it('holds its id no longer, whether it was erased or not', async () => {
      const again = { doc_id: 'gone', content: 'Turku by the quay', tags: [], metadata: { user_id }, if_absent: true };
      await expect(knowledgeBase.add([again])).rejects.toMatchObject({ code: 'conflict' });
      time = START + HOUR;
      await knowledgeBase.add([again]);
      expect(await search()).toEqual(['gone', 'kept', 'passing']);
      expect(await knowledgeBase.get({ id: 'gone', userId: user_id })).toMatchObject({ content: again.content });
    });

    it('leaves a receipt without its words', async () => {
      expect(await knowledgeBase.forgetExpired()).toBe(0);
      time = START + 3 * HOUR;
      expect(await knowledgeBase.forgetExpired()).toBe(2);
      expect(await knowledgeBase.forgetExpired()).toBe(0);
      const receipts = (await list()).filter(({ tags }) => tags.includes(RETRACTION_TAG));
      expect(receipts.map(({ content, metadata }) => ({ content, ...metadata }))).toEqual(
        expect.arrayContaining([
          {
            content: '—',
            user_id,
            retracted: 'deleted',
            retracted_at: inHours(3),
            retracted_id: 'gone',
            retracted_reason: 'expired',
            stored_at: inHours(0),
            expired_at: inHours(1),
          },
        ]),
      );
      expect(receipts).toHaveLength(2);
      expect(await search()).toEqual(['kept']);
    });

    it('takes along what was drawn from it alone', async () => {
      const metadata = { user_id, derived_from: ['note:gone'] };
      await knowledgeBase.add([{ doc_id: 'drawn', content: 'A quay', tags: [], metadata }]);
      time = START + HOUR;
      expect(await knowledgeBase.forgetExpired()).toBe(1);
      await expect(knowledgeBase.get({ id: 'drawn', userId: user_id })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('is one of few: what says that it never ends stays', async () => {
      const metadata = { user_id, [EXPIRY_KEY]: null };
      await knowledgeBase.add([{ doc_id: 'endless', content: 'Turku by the quay', tags: [], metadata }]);
      time = START + 24 * HOUR;
      expect(await search()).toEqual(['endless', 'kept']);
      await knowledgeBase.forgetExpired();
      expect(await search()).toEqual(['endless', 'kept']);
    });

    it('can be given another time, or none', async () => {
      const address = { id: 'gone', userId: user_id };
      expect(await knowledgeBase.update(address, { expires_at: inHours(5) })).toMatchObject({
        metadata: { [EXPIRY_KEY]: inHours(5) },
      });
      await knowledgeBase.update(address, { metadata: { [EXPIRY_KEY]: null } });
      time = START + 24 * HOUR;
      expect(await search()).toEqual(['gone', 'kept']);
      await expect(knowledgeBase.update(address, { metadata: { [EXPIRY_KEY]: 'soon' } })).rejects.toMatchObject({
        code: 'invalid',
        field: `metadata.${EXPIRY_KEY}`,
      });
    });
  });
