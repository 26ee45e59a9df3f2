import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scoreBm25 } from '../../src/ranking/index.ts';
import { tokenize } from '../../src/text/index.ts';

function order(query: string, ...texts: string[]): readonly string[] {
  const documents = texts.map((text) => ({ text, ...tokenize(text, { keepStopWords: true }) }));
  return [...scoreBm25(documents, tokenize(query), documents.length)]
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ document }) => document.text);
}

describe('scoreBm25', () => {
  it('counts a rare word for more than a common one', () => {
    const common = ['tea with Ann', 'tea with Bob', 'tea with Cem', 'tea at noon'];
    expect(order('tea saffron', ...common, 'saffron rice')[0]).toBe('saffron rice');
  });

  it('counts a word for more in a short text than in a long one', () => {
    const long = 'a walk and a talk about the weather, the dog, the neighbours and saffron';
    expect(order('saffron', long, 'saffron rice')).toEqual(['saffron rice', long]);
  });

  it('counts a pair of Chinese characters for more than the same characters apart', () => {
    expect(order('草莓', '莓果和草地', '草莓')).toEqual(['草莓', '莓果和草地']);
  });

  it('finds a word of one Chinese character', () => {
    expect(order('猫', '我的猫叫小白', '她去了上海')).toEqual(['我的猫叫小白']);
  });

  it('gives every document that holds a word a score above 0, though all hold it', () => {
    expect(order('tea', 'tea', 'tea', 'tea')).toHaveLength(3);
  });

  it('scores by those that hold a word, whatever else was read', () => {
    const tokens = (text: string) => tokenize(text, { keepStopWords: true });
    const holding = ['saffron rice', 'rice with a long tail of words'].map(tokens);
    const others = ['tea', 'a very long text about nothing that was asked for'].map(tokens);
    const scoresOf = (documents: typeof holding) =>
      scoreBm25(documents, tokenize('saffron rice'), 9).map(({ score }) => score);
    expect(scoresOf([...holding, ...others])).toEqual([...scoresOf(holding), 0, 0]);
  });

  it('takes no document for none', () => {
    expect(scoreBm25([], tokenize('tea'), 0)).toEqual([]);
  });

  it('counts a related term for less than the word it stands for, and for nothing besides it', () => {
    const documents = ['new spectacles', 'new glasses', 'spectacles, glasses', 'rye bread'].map((text) =>
      tokenize(text),
    );
    const query = tokenize('spectacles');
    const [of = ''] = query.terms;
    const expansions = tokenize('glasses').terms.map((term) => ({ term, of, weight: 0.2 }));
    const [own = 0, other = 0, both = 0, none = 0] = scoreBm25(documents, { ...query, expansions }, 4).map(
      ({ score }) => score,
    );
    expect(own).toBeGreaterThan(other);
    expect(other).toBeGreaterThan(0);
    expect(both).toBeCloseTo(own);
    expect(none).toBe(0);
  });

  it('never counts a related term for more than its share of the word, however rare it is', () => {
    const word = fc.constantFrom('tea', 'rye', 'oak', 'elm', 'fir');
    const text = fc.array(word, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 12 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (texts, weight) => {
          const documents = texts.map((terms) => ({ terms, unigrams: [] }));
          const scoresWith = (share: number) => {
            const expansions = [{ term: 'rye', of: 'tea', weight: share }];
            return scoreBm25(documents, { terms: ['tea'], unigrams: [], expansions }, texts.length);
          };
          const [plain, wider] = [scoresWith(1e-12), scoresWith(weight)];
          // The same texts with the word itself wherever the related one stands.
          const asWord = texts.map((terms) => ({
            terms: terms.map((term) => (term === 'rye' ? 'tea' : term)),
            unigrams: [],
          }));
          const query = { terms: ['tea'], unigrams: [] };
          const own = scoreBm25(asWord, query, texts.length);
          for (const [at, { score }] of wider.entries()) {
            expect(score).toBeGreaterThanOrEqual(plain[at]?.score ?? 0);
            if ((own[at]?.score ?? 0) === 0) expect(score).toBe(0);
          }
        },
      ),
    );
  });
});
