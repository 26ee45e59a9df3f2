import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type FoundText,
  rankTexts,
  readSearchQuery,
  scoreWords,
  toRelevanceScale,
  wordsAlone,
} from '../../src/ranking/index.ts';

const model = toRelevanceScale({ provider: 'openai', model: 'some-model' });
const rank = (question: string, texts: readonly FoundText[], options = {}) => {
  const search = readSearchQuery(question);
  return rankTexts(search, scoreWords(search, texts), options);
};
const idsOf = ({ hits }: ReturnType<typeof rank>): readonly string[] => hits.map(({ id }) => id);

describe('rankTexts', () => {
  const texts = [
    { id: 'some', text: 'Tom came by.' },
    { id: 'none', text: 'The boiler broke down.' },
    { id: 'all', text: 'Bea married Tom at the mill.' },
  ];

  it('returns what fits, best first, and says how relevant the best was', () => {
    const { hits, nearest } = rank('Who married Tom at the mill?', texts);
    expect(hits.map(({ id }) => id)).toEqual(['all', 'some']);
    expect(hits[0]?.relevance).toBeGreaterThan(0.99);
    expect(hits[1]?.relevance).toBeLessThan(0.5);
    expect(nearest).toBe(hits[0]?.relevance);
  });

  it('cuts by the least relevance of the caller alone', () => {
    expect(rank('Who married Tom at the mill?', texts, { minScore: 0.9 }).hits).toHaveLength(1);
    expect(rank('Who married Tom at the mill?', texts.slice(0, 1), { minScore: 0.9 })).toEqual({
      hits: [],
      nearest: expect.closeTo(1 / 3, 1),
    });
  });

  it('finds by meaning alone what is near, as relevant as it is near', () => {
    const { hits } = rank(
      'Which laptop do I use?',
      [
        { id: 'far', text: 'The cat sleeps.', cosine: 0.26 },
        { id: 'near', text: 'I bought a MacBook.', cosine: 0.56 },
      ],
      { scale: model },
    );
    expect(hits.map(({ id }) => id)).toEqual(['near', 'far']);
    expect(hits[0]?.relevance).toBeGreaterThan(0.5);
    expect(hits[1]?.relevance).toBeLessThan(0.1);
  });

  it('knows models whose cosines are all high', () => {
    const scale = toRelevanceScale({ provider: 'openai', model: 'intfloat/multilingual-e5-small' });
    const far = [{ id: 'far', text: 'The cat sleeps.', cosine: 0.76 }];
    expect(rank('Which laptop do I use?', far, { scale }).nearest).toBe(0);
  });

  it('finds with a model what words find, and more', () => {
    const found = [
      { id: 'words', text: 'The deploy script needs the staging key.', cosine: 0.35 },
      { id: 'near', text: 'Going live asks for what opens pre-production.', cosine: 0.62 },
      { id: 'other', text: 'Lunch is at noon.', cosine: 0.05 },
    ];
    const question = 'Which key does the deploy script need?';
    expect(
      idsOf(rank(question, found, { scale: model }))
        .slice(0, 2)
        .sort(),
    ).toEqual(['near', 'words']);
    expect(
      idsOf(
        rank(
          question,
          found.map(({ id, text }) => ({ id, text })),
        ),
      ),
    ).toEqual(['words']);
  });

  it('is not relevant to a greeting, which is looked for as it stands', () => {
    const { hits, nearest } = rank('Hello!', [{ id: 'a', text: 'She said hello.' }]);
    expect(hits).toEqual([{ id: 'a', relevance: 0 }]);
    expect(nearest).toBe(0);
  });

  it('keeps the order of the list among what fits alike', () => {
    const same = ['b', 'a', 'c'].map((id) => ({ id, text: 'Plum jam.' }));
    expect(idsOf(rank('plum jam', same))).toEqual(['b', 'a', 'c']);
  });

  it('falls in relevance, within [0, 1], whatever is asked of whatever texts', () => {
    const text = fc.record({
      text: fc.string(),
      words: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
      cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.string(), fc.array(text), fc.constantFrom(model, wordsAlone), (question, some, scale) => {
        const found = some.map((one, at) => ({ id: String(at), ...one }));
        const { hits, nearest } = rankTexts(readSearchQuery(question), found, { scale });
        const relevances = hits.map(({ relevance }) => relevance);
        expect(relevances).toEqual([...relevances].sort((a, b) => b - a));
        for (const relevance of relevances) expect(relevance).toBeGreaterThanOrEqual(0);
        expect(relevances[0] ?? 0).toBeLessThanOrEqual(nearest);
        expect(nearest).toBeLessThanOrEqual(1);
      }),
    );
  });
});
