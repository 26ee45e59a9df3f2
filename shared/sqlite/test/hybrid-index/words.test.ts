import assert from 'node:assert/strict';
import { tokenize } from '@contextloom/retrieval';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  columnDotProduct,
  columnDotProducts,
  dotProduct,
  sparseDotProduct,
} from '../../src/hybrid-index/cache/dot-product.ts';
import { createWordColumns } from '../../src/hybrid-index/search/word-columns.ts';
import { toWordLookup, toWords, visitSortedWords, visitWords } from '../../src/hybrid-index/search/words.ts';

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

/** Takes down what a search reads of texts, by the numbers that it gives them. */
function createVisitor(tokens: readonly string[]) {
  const texts: { lengths: readonly number[]; counts: Map<string, number> }[] = [];
  return {
    texts,
    begin: (terms: number, unigrams: number) => texts.push({ lengths: [terms, unigrams], counts: new Map() }) - 1,
    count: (at: number, token: number, frequency: number) => void texts[at]?.counts.set(tokens[token] ?? '', frequency),
  };
}

/** What a search reads of some texts, by their slots, when it looks for these tokens. */
function read(texts: readonly string[], tokens: readonly string[]) {
  const columns = createWordColumns(texts.length, 4);
  texts.forEach((one, slot) => {
    columns.set(slot, toWords(one));
  });
  const lookup = toWordLookup(tokens);
  const unsorted = texts.map((_, slot) => {
    const visitor = createVisitor(tokens);
    const hasAny = visitWords(columns, slot, lookup, visitor);
    expect(hasAny).toBe(visitor.texts.length > 0);
    return visitor.texts;
  });
  columns.sort();
  return { unsorted, sorted: readSorted(columns, { tokens, slots: [...texts.keys()] }) };
}

/** What is read of some slots of sorted words. */
function readSorted(
  columns: ReturnType<typeof createWordColumns>,
  { tokens, slots }: { readonly tokens: readonly string[]; readonly slots: readonly number[] },
) {
  assert(columns.buckets !== undefined);
  const visitor = createVisitor(tokens);
  const selected = { wanted: Int32Array.from(slots), lookup: toWordLookup(tokens) };
  const begun = visitSortedWords(columns, columns.buckets, selected, visitor);
  return slots.map((slot) => {
    const at = begun.indexOf(slot);
    return at === -1 ? [] : [visitor.texts[at]];
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
        return found.size > 0 ? [{ lengths: [tokens.terms.length, tokens.unigrams.length], counts: found }] : [];
      });
      const { unsorted, sorted } = read(texts, asked);
      expect(unsorted).toEqual(expected);
      expect(sorted).toEqual(expected);
    });
    fc.assert(property);
  });

  it('tell of no text that is not searched, once they are sorted', () => {
    const texts = ['tea and rice', 'rice', 'tea, tea', '茶'];
    const columns = createWordColumns(texts.length, 4);
    for (const [slot, one] of texts.entries()) columns.set(slot, toWords(one));
    columns.sort();
    const read = readSorted(columns, { tokens: ['rice', 'tea'], slots: [2, 0] });
    expect(read.map(([text]) => Object.fromEntries(text?.counts ?? []))).toEqual([{ tea: 2 }, { rice: 1, tea: 1 }]);
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
        // As the third of four rows of columns.
        const columns = Float32Array.from({ length: 4 * query.length }, (_, at) =>
          at % 4 === 2 ? (vectors[more.length + Math.floor(at / 4)] ?? 0) : 1,
        );
        const sums = new Float64Array(4);
        columnDotProducts(columns, values, dimensions, sums);
        expect(sums[2]).toBe(expected);
        expect(columnDotProduct(columns, { row: 2, height: 4 }, values, dimensions)).toBe(expected);
      },
    );
    fc.assert(property);
  });
});
