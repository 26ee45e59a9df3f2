import { type DocumentInput, type SearchResult, searchRequestSchema } from '@contextloom/contracts';
import { TURNS } from '@contextloom/retrieval/ranking';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PRIORITY_BOOST } from '../src/domain/search/tuning.ts';
import type { DescribeEngine } from './support/engines.ts';
import { ask, serveTemporary, type TemporaryKnowledgeBase } from './support/service.ts';

const toDocument = (doc_id: string, content: string, rest: Partial<DocumentInput> = {}): DocumentInput => ({
  doc_id,
  content,
  tags: [],
  metadata: {},
  ...rest,
});

/** Describes what a search with `explain` tells. */
export function describeExplanations(describeEngine: DescribeEngine): void {
  describeEngine('the explanation of a search', ({ open, runs }) => {
    let temporary: TemporaryKnowledgeBase;
    let endpoint: Awaited<ReturnType<typeof serveTemporary>>;
    beforeEach(async () => {
      temporary = await open();
      endpoint = await serveTemporary(temporary.knowledgeBase);
    });
    afterEach(async () => {
      await endpoint.close();
      await temporary.remove();
    });

    const add = (...documents: readonly DocumentInput[]) => temporary.knowledgeBase.add(documents);
    const search = async (request: object): Promise<readonly SearchResult[]> => {
      const { status, json } = await ask(endpoint.url, 'POST', '/search', { explain: true, ...request });
      expect({ status, json }).toMatchObject({ status: 200, json: { success: true } });
      return json.results;
    };

    it('tells the places in both lists and the words that were found, over HTTP', async () => {
      await add(
        toDocument('both', 'Ann drinks green tea in Kyoto'),
        toDocument('one', 'a green train to Graz and much else that is long'),
        toDocument('none', '小明每天早上散步'),
      );
      const results = await search({ query: 'green tea', min_score: 0 });
      const score = expect.any(Number);
      expect(results.map(({ id, explain }) => [id, explain?.words])).toEqual([
        // Tea is a drink.
        ['both', { rank: 1, score, terms: ['drink', 'green', 'tea'] }],
        ['one', { rank: 2, score, terms: ['green'] }],
        ['none', null],
      ]);
      expect(results.map(({ explain }) => explain?.vector)).toEqual([1, 2, 3].map((rank) => ({ rank, score })));
      for (const [at, { explain }] of results.entries()) {
        const before = results[at - 1]?.explain;
        expect(explain?.words?.score ?? 0).toBeLessThan(before?.words?.score ?? Number.POSITIVE_INFINITY);
        expect(explain?.vector?.score).toBeLessThan(before?.vector?.score ?? 1.001);
      }
      expect(results[0]?.explain).not.toHaveProperty('neighbours');
      expect(results[0]).toMatchObject({
        explain: { fused: 1, boosts: { priority_tag: 0 }, score: 1 },
        snippet: {
          text: 'Ann drinks green tea in Kyoto',
          ranges: [
            [4, 10],
            [11, 16],
            [17, 20],
          ],
        },
        document: { id: 'both' },
      });
      expect(results[2]?.snippet).toEqual({ text: '小明每天早上散步', ranges: [] });
      for (const { explain, score: shown } of results) expect(explain?.score).toBe(shown);
    });

    it('answers a query with nothing that scores 0, whatever else lifts it; a listing leaves out nothing', async () => {
      await add(
        toDocument('tea', 'Ann drinks green tea in Kyoto'),
        toDocument('blank', '小明每天早上散步', { tags: ['pinned'], metadata: { importance: 10 } }),
      );
      const request = { priority_tags: ['pinned'], top_k: 10 };
      const fits = async (query: string) =>
        (await search({ ...request, query })).map(({ explain, score }) => (explain?.fused ?? 0) > 0 && score > 0);
      for (const query of ['green tea', 'zzz', '四川菜', 'weather']) expect(await fits(query)).not.toContain(false);
      expect((await search({ ...request, query: '四川菜' })).map(({ id }) => id)).not.toContain('tea');
      expect((await search({ ...request, query: '' })).map(({ id }) => id)).toEqual(['blank', 'tea']);
    });

    it('tells what a document is by itself, and what those around it gave it', async () => {
      const say = (position: number, content: string, sequence = 'chat') =>
        toDocument(`${sequence}-${position}`, content, { metadata: { sequence, position } });
      await add(
        say(1, 'Ben: Where did you go on your holiday, Ann?'),
        say(2, 'Ann: Graz, it rained every single day.'),
        say(1, 'Ben: My knee hurts.', 'other'),
      );
      const results = await search({ query: 'Where did Ann go on holiday?' });
      expect(results.map(({ id }) => id)).toEqual(['chat-2', 'chat-1', 'other-1']);
      for (const { id, explain } of results) {
        if (id === 'other-1') expect(explain).not.toHaveProperty('neighbours');
        else {
          const { own = 0, given = 0 } = explain?.neighbours ?? {};
          expect((own + given) * (explain?.form ?? 1)).toBeCloseTo(explain?.fused ?? 0, 12);
        }
      }
      const [answered, asked] = results.map(({ explain }) => explain);
      expect(asked?.form).toBe(TURNS.question);
      expect(answered).not.toHaveProperty('form');
      // The answer gives back a smaller share of less.
      expect(answered?.neighbours?.given).toBeCloseTo(TURNS.fromQuestion * (asked?.neighbours?.own ?? 0), 12);
      expect(asked?.neighbours?.given).toBeCloseTo(TURNS.beside * (answered?.neighbours?.own ?? 0), 12);
    });

    it('tells what the time makes of a document where the query asks how things are now', async () => {
      const at = (doc_id: string, occurred_at: string) =>
        toDocument(doc_id, 'Ann lives in Graz', { metadata: { occurred_at } });
      await add(
        at('may', '2024-05-07T10:00:00Z'),
        at('june', '2024-06-07T10:00:00Z'),
        toDocument('never', 'Ann, Graz'),
      );
      const toRecencies = async (query: string) =>
        Object.fromEntries((await search({ query })).map(({ id, explain }) => [id, explain?.recency]));
      expect(await toRecencies('Where does Ann live now?')).toEqual({ may: undefined, june: 2, never: undefined });
      expect(await toRecencies('Where did Ann live?')).toEqual({ may: undefined, june: undefined, never: undefined });
    });

    it('shows the passage that answers, not the beginning of a long document', async () => {
      const filler = '今天天气很好，我们去公园散步。'.repeat(300);
      await add(toDocument('long', `${filler}小红对花生过敏，不能吃花生酱。${filler}`));
      const [found] = await search({ query: '花生过敏' });
      const { text = '', ranges = [] } = found?.snippet ?? {};
      expect(text.length).toBeLessThanOrEqual(200);
      expect(text).toMatch(/^….*小红对花生过敏，不能吃花生酱。.*…$/);
      expect(ranges.map(([from, to]) => text.slice(from, to))).toEqual(['花生过敏', '花生']);
    });

    it('lets neither importance nor age change the order of memories', async () => {
      const memory = (doc_id: string, importance: number, occurred_at: string) =>
        toDocument(doc_id, 'Ann likes tea', { tags: ['memory'], metadata: { importance, occurred_at } });
      await add(memory('a', 1, '2014-01-02T00:00:00Z'), memory('b', 10, '2024-02-01T00:00:00Z'));
      const results = await search({ query: 'Ann likes tea', tags: ['memory'] });
      expect(results.map(({ id, score }) => [id, score])).toEqual([
        ['a', 1],
        ['b', 1],
      ]);
    });

    it('tells what a priority tag lifted', async () => {
      await add(toDocument('a', 'green tea'), toDocument('b', 'green tea with milk', { tags: ['urgent'] }));
      const results = await search({ query: 'green tea', priority_tags: ['urgent'] });
      const { fused = 0, boosts, score } = results.find(({ id }) => id === 'b')?.explain ?? {};
      expect(boosts?.priority_tag).toBeCloseTo((1 - fused) * PRIORITY_BOOST, 12);
      expect(score).toBeCloseTo(fused + (boosts?.priority_tag ?? 0), 12);
    });

    it('has no places to tell of an empty query', async () => {
      await add(toDocument('a', 'green tea'));
      expect(await search({ query: ' ' })).toMatchObject([
        { explain: { words: null, vector: null, fused: 1, score: 1 }, snippet: { text: 'green tea', ranges: [] } },
      ]);
    });

    it('changes nothing else of a search, whatever the texts', async () => {
      const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((value) => value.trim() !== '');
      await fc.assert(
        fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), text, async (texts, query) => {
          await add(...texts.map((content, at) => toDocument(`t${at}`, content, { tags: ['any'] })));
          const request = { query, tags: ['any'], top_k: 10 };
          const explained = await search(request);
          const plain = await temporary.knowledgeBase.search(searchRequestSchema.parse(request));
          expect(explained.map(({ explain: _, snippet: __, ...result }) => result)).toEqual(plain);
          for (const { snippet } of explained) expect(snippet?.text.length).toBeLessThanOrEqual(200);
        }),
        { numRuns: runs.few },
      );
    });
  });
}
