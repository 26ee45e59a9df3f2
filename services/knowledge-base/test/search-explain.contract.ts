import { type DocumentInput, type SearchResult, searchRequestSchema } from '@contextloom/contracts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MEMORY_BOOSTS, NEIGHBOURS, PRIORITY_BOOST, TIMES, UTTERANCES } from '../src/domain/search/tuning.ts';
import type { DescribeEngine } from './support/engines.ts';
import { ask, serveTemporary, type TemporaryKnowledgeBase } from './support/service.ts';

const toDocument = (doc_id: string, content: string, rest: Partial<DocumentInput> = {}): DocumentInput => ({
  ...{ doc_id, content, tags: [], metadata: {} },
  ...rest,
});
const MOST = 1 + MEMORY_BOOSTS.importance + MEMORY_BOOSTS.recency;

/** Describes what a search with `explain` tells. */
export function describeExplanations(describeEngine: DescribeEngine): void {
  describeEngine('the explanation of a search', ({ open, runs }) => {
    let temporary: TemporaryKnowledgeBase;
    let door: Awaited<ReturnType<typeof serveTemporary>>;
    beforeEach(async () => {
      temporary = await open();
      door = await serveTemporary(temporary.knowledgeBase);
    });
    afterEach(async () => {
      await door.close();
      await temporary.remove();
    });

    const add = (...documents: readonly DocumentInput[]) => temporary.knowledgeBase.add(documents);
    const search = async (request: object): Promise<readonly SearchResult[]> => {
      const { status, json } = await ask(door.url, 'POST', '/search', { explain: true, ...request });
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
        // The thesaurus has it that tea is a drink.
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
        explain: { fused: 1, boosts: { importance: 0, recency: 0, priority_tag: 0 }, score: 1 },
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
      // A question answers nothing, and Ann is asked about.
      expect(asked?.form).toBeCloseTo(1 - UTTERANCES.questionLoss, 12);
      expect(answered?.form).toBeCloseTo(1 + UTTERANCES.speakerGain, 12);
      // The answer gives back a smaller share of less.
      expect(answered?.neighbours?.given).toBeCloseTo(NEIGHBOURS.fromQuestion * (asked?.neighbours?.own ?? 0), 12);
      const [fromAfter = 0] = NEIGHBOURS.fromAfter;
      expect(asked?.neighbours?.given).toBeCloseTo(fromAfter * (answered?.neighbours?.own ?? 0), 12);
    });

    it('tells what a time that the query names makes of a document, if the document says when it happened', async () => {
      const at = (doc_id: string, occurred_at: string) =>
        toDocument(doc_id, 'Ann went to Graz', { metadata: { occurred_at } });
      await add(
        at('may', '2024-05-07T10:00:00Z'),
        at('june', '2024-06-07T10:00:00Z'),
        toDocument('never', 'Ann, Graz'),
      );
      const results = await search({ query: 'Where did Ann go in May 2024?' });
      const times = results.map(({ id, explain }) => [id, explain?.time]);
      expect(Object.fromEntries(times)).toEqual({ may: 1 + TIMES.period, june: undefined, never: undefined });
      expect(results[0]?.id).toBe('may');
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

    it('tells the shares of importance and recency, in searches for memories alone', async () => {
      const memory = (doc_id: string, importance: number, occurred_at: string, content = 'Ann likes tea') =>
        toDocument(doc_id, content, { tags: ['memory'], metadata: { importance, occurred_at } });
      await add(
        memory('old', 10, '2024-01-02T00:00:00Z'),
        memory('new', 1, '2024-02-01T00:00:00Z'),
        memory('odd', 999, 'once', 'Bob likes green tea too, and coffee'),
      );
      const found = await search({ query: 'Ann', tags: ['memory'] });
      const [old, newer] = ['old', 'new'].map((id) => found.find((one) => one.id === id));
      const { importance, recency } = MEMORY_BOOSTS;
      // "odd" says nothing of when it happened, so that it is as new as its storing, years after the others.
      expect(old?.explain?.boosts.importance).toBe(importance);
      expect(newer?.explain?.boosts.importance).toBe(0);
      expect(old?.explain?.boosts.recency).toBeLessThan(recency / 1_000);
      for (const { explain, score } of await search({ query: 'Ann likes tea', tags: ['memory'] })) {
        const { fused = 0, boosts } = explain ?? {};
        const shares = 1 + (boosts?.importance ?? 0) + (boosts?.recency ?? 0);
        expect(score).toBeCloseTo((fused * shares) / MOST, 12);
      }
      const plain = await search({ query: 'Ann likes tea' });
      for (const { explain } of plain) {
        expect(explain).toMatchObject({ boosts: { importance: 0, recency: 0 }, score: explain?.fused });
      }
    });

    it('lets no importance or age put what clearly fits best behind, in a search for memories', async () => {
      const texts = [
        'green tea',
        'green tea and so on',
        'green tea and so on and so on',
        'tea and so on and so on and on',
      ];
      const toMemories = (ages: readonly number[]) =>
        texts.map((content, at) => {
          const occurred_at = new Date(Date.UTC(2024, 0, 1) - (ages[at] ?? 0) * 86_400_000).toISOString();
          const importance = at === 0 ? 1 : 10;
          return toDocument(`d${at}`, content, { tags: ['memory'], metadata: { importance, occurred_at } });
        });
      const ages = fc.tuple(
        fc.integer({ min: 0, max: 3_650 }),
        ...texts.slice(1).map(() => fc.integer({ min: 0, max: 9 })),
      );
      await fc.assert(
        fc.asyncProperty(ages, async (days) => {
          await add(...toMemories(days));
          const results = await search({ query: 'green tea', tags: ['memory'] });
          const last = results.find(({ explain }) => explain?.words?.rank === 4 && explain.vector?.rank === 4);
          expect(last?.id).toBe('d3');
          const ids = results.map(({ id }) => id);
          expect(ids.indexOf('d0')).toBeLessThan(ids.indexOf('d3'));
        }),
        { numRuns: runs.few },
      );
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
