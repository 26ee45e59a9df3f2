import { tokenize } from '@contextloom/retrieval';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dotProduct, sparseDotProduct } from '../../src/hybrid-index/cache/dot-product.ts';
import { createWordColumns } from '../../src/hybrid-index/search/word-columns.ts';
import { toWordLookup, toWords, visitWords } from '../../src/hybrid-index/search/words.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .array(fc.constantFrom('the', 'Tea', 'teas', 'it’s', '的', '喝茶', '茶', '，', ' '), { maxLength: 40 })
    .map((parts) => parts.join(' ')),
);
const whole = (any: string) => tokenize(any, { keepStopWords: true });

function countEach(tokens: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/** What a search reads of some texts, by their slots, when it looks for these tokens. */
function read(texts: readonly string[], tokens: readonly string[]) {
  const columns = createWordColumns(texts.length, 4);
  texts.forEach((one, slot) => {
    columns.set(slot, toWords(one));
  });
  const lookup = toWordLookup(tokens);
  return texts.map((_, slot) => {
    const lengths: number[][] = [];
    const counts = new Map<string, number>();
    const hasAny = visitWords(columns, slot, lookup, {
      begin: (terms, unigrams) => lengths.push([terms, unigrams]),
      count: (token, frequency) => counts.set(tokens[token] ?? '', frequency),
    });
    return { hasAny, lengths, counts };
  });
}

describe('the words of entries', () => {
  it('are the same of a text as of its tokens', () => {
    fc.assert(fc.property(text, (any) => expect(toWords(any)).toEqual(toWords(whole(any)))));
  });

  it('tell of each text exactly what its tokens are, however long it is and whatever is looked for', () => {
    const property = fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), text, (texts, query) => {
      const { terms, unigrams } = whole(query);
      const asked = [...new Set([...terms, ...unigrams])];
      const expected = texts.map((one) => {
        const tokens = whole(one);
        const counts = countEach([...tokens.terms, ...tokens.unigrams]);
        const found = new Map([...counts].filter(([token]) => asked.includes(token)));
        const lengths = found.size > 0 ? [[tokens.terms.length, tokens.unigrams.length]] : [];
        return { hasAny: found.size > 0, lengths, counts: found };
      });
      expect(read(texts, asked)).toEqual(expected);
    });
    fc.assert(property);
  });
});

describe('the product of a query’s vector', () => {
  it('is the same with and without the dimensions where the query is 0', () => {
    const value = fc.oneof(fc.constant(0), fc.integer({ min: -9, max: 9 }));
    const property = fc.property(
      fc.array(value, { maxLength: 30 }),
      fc.array(value, { maxLength: 60 }),
      (query, more) => {
        const vectors = Float32Array.from([...more, ...query.map((one, at) => one + at)]);
        const dimensions = Uint32Array.from(query.keys()).filter((at) => query[at] !== 0);
        const values = Float64Array.from(dimensions, (at) => query[at] ?? 0);
        const expected = query.reduce((sum, one, at) => sum + one * (one + at), 0);
        expect(dotProduct(vectors, more.length, Float64Array.from(query))).toBe(expected);
        expect(sparseDotProduct(vectors, more.length, values, dimensions)).toBe(expected);
      },
    );
    fc.assert(property);
  });
});
