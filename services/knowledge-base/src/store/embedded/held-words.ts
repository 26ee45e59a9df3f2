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

/** How many numbers a posting is: the slot, how often the word stands in it, and where the posting before it lies. */
const POSTING = 3;
/** Stands for no posting. */
const END = -1;

/** Documents that hold a word by their slots, and how often it stands in each. */
interface Found {
  readonly slots: readonly number[];
  readonly counts: readonly number[];
}

const NOTHING: Found = { slots: [], counts: [] };

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

/** Builds the memory for words: for each word a chain of the documents that hold it, the latest first. */
export function createHeldWords(): HeldWords {
  const words = new Map<string, number>();
  const heads = createGrowing((length) => new Int32Array(length));
  const postings = createGrowing((length) => new Int32Array(length));
  const termCounts = createGrowing((length) => new Int32Array(length));
  const unigramCounts = createGrowing((length) => new Int32Array(length));
  const lengths = createGrowing((length) => new Float64Array(length));

  const toWord = (token: string): number => {
    const known = words.get(token);
    if (known !== undefined) return known;
    words.set(token, heads.length);
    heads.push(END);
    return heads.length - 1;
  };
  const post = (tokens: readonly string[], slot: number): void => {
    for (const [token, count] of countEach(tokens)) {
      const word = toWord(token);
      const at = postings.extend(POSTING);
      postings.items.set([slot, count, heads.items[word] ?? END], at);
      heads.items[word] = at;
    }
  };
  /** The postings of a word that are of selected documents. */
  const find = (token: string, selected: Uint8Array): Found => {
    const { items } = postings;
    const [slots, counts]: [number[], number[]] = [[], []];
    const word = words.get(token);
    const head = word === undefined ? END : (heads.items[word] ?? END);
    for (let at = head; at !== END; at = items[at + 2] ?? END) {
      const slot = items[at] ?? 0;
      if (selected[slot] !== 1) continue;
      slots.push(slot);
      counts.push(items[at + 1] ?? 0);
    }
    return { slots, counts };
  };
  /** The documents of postings, each once. */
  const toSlots = (found: readonly Found[]): Int32Array => {
    const seen = new Uint8Array(lengths.length);
    const all: number[] = [];
    for (const { slots } of found) {
      for (const slot of slots) {
        if (seen[slot] === 1) continue;
        seen[slot] = 1;
        all.push(slot);
      }
    }
    return new Int32Array(all);
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
      return postings.length;
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
