import {
  type QueryTokens,
  type SoughtToken,
  toDamping,
  toLength,
  toRarity,
  toSought,
  toTokenScore,
  toWorth,
} from '../../domain/keyword-score.ts';
import { createGrowing } from './growing.ts';
import type { Scores } from './scores.ts';

/** The words of documents in memory, by slots that are counted from 0. */
export interface HeldWords {
  /** How many numbers are held. */
  readonly size: number;
  add(terms: readonly string[], unigrams: readonly string[]): void;
  /**
   * The documents that hold a word of the query by their slots, with the scores of `scoreByWords` to the last bit, in no order.
   * @param selected by slot, 1 for those that are searched
   * @param population how many these are
   */
  score(selected: Uint8Array, population: number, query: QueryTokens): Scores;
}

/** A posting is one number: the slot, and in its last bits how often the word stands there. */
const COUNT_BITS = 8;
const MAX_COUNT = 2 ** COUNT_BITS - 1;
/** Stands for no piece of a list. */
const END = -1;

/** The postings of a token that are of selected documents. */
interface Found {
  readonly slots: Int32Array;
  readonly counts: Int32Array;
}

const NOTHING: Found = { slots: new Int32Array(), counts: new Int32Array() };

/** What was found for a query: the documents of each token, how rare each is among all, and how long those documents are. */
interface Finding {
  readonly found: ReadonlyMap<string, Found>;
  readonly rarityOf: (token: string) => number;
  readonly meanLength: number;
}

function countEach(tokens: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/**
 * Builds the lists of postings, by words that are counted from 0. A list is in pieces, each twice as long as the one before it
 * and headed by where that lies: most words have one posting or two, and what is read most lies side by side.
 */
function createPostings() {
  const items = createGrowing((length) => new Int32Array(length));
  const heads = createGrowing((length) => new Int32Array(length));
  const totals = createGrowing((length) => new Int32Array(length));
  /** How often a word stands in a document, by where its posting lies, when that is more than a posting can say. */
  const many = new Map<number, number>();
  return {
    get size() {
      return items.length + heads.length + totals.length;
    },
    addWord: (): number => {
      totals.push(0);
      heads.push(END);
      return heads.length - 1;
    },
    add: (word: number, slot: number, count: number): void => {
      // The pieces before a piece of 2^n postings have 2^n - 1.
      const ordinal = (totals.items[word] ?? 0) + 1;
      const piece = 2 ** Math.floor(Math.log2(ordinal));
      if (ordinal === piece) {
        const at = items.extend(1 + piece);
        items.items[at] = heads.items[word] ?? END;
        heads.items[word] = at;
      }
      const at = (heads.items[word] ?? 0) + 1 + (ordinal - piece);
      items.items[at] = (slot << COUNT_BITS) | Math.min(count, MAX_COUNT);
      if (count >= MAX_COUNT) many.set(at, count);
      totals.items[word] = ordinal;
    },
    /** The postings of a word that are of selected documents. */
    find: (word: number, selected: Uint8Array): Found => {
      const [numbers, total] = [items.items, totals.items[word] ?? 0];
      const [slots, counts] = [new Int32Array(total), new Int32Array(total)];
      let [length, ordinal] = [0, total];
      for (let head = heads.items[word] ?? END; head !== END; head = numbers[head] ?? END) {
        const piece = 2 ** Math.floor(Math.log2(ordinal));
        const end = head + 1 + (ordinal - piece);
        for (let at = head + 1; at <= end; at += 1) {
          const posting = numbers[at] ?? 0;
          const slot = posting >>> COUNT_BITS;
          if (selected[slot] !== 1) continue;
          const count = posting & MAX_COUNT;
          slots[length] = slot;
          counts[length] = count < MAX_COUNT ? count : (many.get(at) ?? MAX_COUNT);
          length += 1;
        }
        ordinal = piece - 1;
      }
      return { slots: slots.subarray(0, length), counts: counts.subarray(0, length) };
    },
  };
}

/** Builds the memory for words. */
export function createHeldWords(): HeldWords {
  const words = new Map<string, number>();
  const postings = createPostings();
  const termCounts = createGrowing((length) => new Int32Array(length));
  const unigramCounts = createGrowing((length) => new Int32Array(length));
  const lengths = createGrowing((length) => new Float64Array(length));

  const toWord = (token: string): number => {
    const word = words.get(token) ?? postings.addWord();
    words.set(token, word);
    return word;
  };
  const post = (tokens: readonly string[], slot: number): void => {
    for (const [token, count] of countEach(tokens)) postings.add(toWord(token), slot, count);
  };
  const find = (token: string, selected: Uint8Array): Found => {
    const word = words.get(token);
    return word === undefined ? NOTHING : postings.find(word, selected);
  };
  /** The documents of postings, each once. */
  const toSlots = (found: readonly Found[]): Int32Array => {
    const seen = new Uint8Array(lengths.length);
    const all = new Int32Array(lengths.length);
    let count = 0;
    for (const { slots } of found) {
      for (const slot of slots) {
        if (seen[slot] === 1) continue;
        seen[slot] = 1;
        all[count] = slot;
        count += 1;
      }
    }
    return all.subarray(0, count);
  };
  const toMeanLength = (slots: Int32Array): number => {
    let [terms, unigrams] = [0, 0];
    for (const slot of slots) {
      terms += termCounts.items[slot] ?? 0;
      unigrams += unigramCounts.items[slot] ?? 0;
    }
    return toLength(terms, unigrams) / slots.length;
  };

  /** What one form of a token is worth in each document that holds it. */
  const toValues = ({ slots, counts }: Found, worth: number, weight: number, meanLength: number): Float64Array => {
    const values = new Float64Array(slots.length);
    const { items } = lengths;
    for (let at = 0; at < slots.length; at += 1) {
      const damping = toDamping(items[slots[at] ?? 0] ?? 0, meanLength);
      values[at] = toTokenScore(worth, weight * (counts[at] ?? 0), damping);
    }
    return values;
  };
  /** Adds to the sums what a token of the query is worth to those that hold it or what stands for it: of these, the best. */
  const addToken = (
    { token, weight, forms }: SoughtToken,
    { sums, best }: Record<'sums' | 'best', Float64Array>,
    { found, rarityOf, meanLength }: Finding,
  ): void => {
    const holders = [...forms].map(([form, share]) => {
      const { slots, counts } = found.get(form) ?? NOTHING;
      const worth = toWorth(share, rarityOf(form), rarityOf(token));
      return { slots, values: toValues({ slots, counts }, worth, weight, meanLength) };
    });
    for (const { slots, values } of holders) {
      for (let at = 0; at < slots.length; at += 1) {
        const slot = slots[at] ?? 0;
        best[slot] = Math.max(best[slot] ?? 0, values[at] ?? 0);
      }
    }
    for (const { slots } of holders) {
      for (const slot of slots) {
        sums[slot] = (sums[slot] ?? 0) + (best[slot] ?? 0);
        best[slot] = 0; // So that it counts once, however many forms the document holds.
      }
    }
  };

  return {
    get size() {
      return postings.size;
    },
    add: (terms, unigrams) => {
      const slot = lengths.length;
      termCounts.push(terms.length);
      unigramCounts.push(unigrams.length);
      lengths.push(toLength(terms.length, unigrams.length));
      post(terms, slot);
      post(unigrams, slot);
    },
    score: (selected, population, query) => {
      const sought = toSought(query);
      const tokens = new Set(sought.flatMap(({ forms }) => [...forms.keys()]));
      const found = new Map([...tokens].map((token) => [token, find(token, selected)]));
      const slots = toSlots([...found.values()]);
      const rarityOf = (token: string): number => toRarity(found.get(token)?.slots.length ?? 0, population);
      const finding = { found, rarityOf, meanLength: toMeanLength(slots) };
      const [sums, best] = [new Float64Array(lengths.length), new Float64Array(lengths.length)];
      for (const one of sought) addToken(one, { sums, best }, finding);
      const values = new Float64Array(slots.length);
      for (let at = 0; at < slots.length; at += 1) values[at] = sums[slots[at] ?? 0] ?? 0;
      return { keys: slots, values };
    },
  };
}
