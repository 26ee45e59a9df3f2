import type { Tokens } from '@contextloom/retrieval';
import { toAsked, toDamping, toLength, toRarity, toTokenScore } from '../../domain/keyword-score.ts';
import { createGrowing } from './growing.ts';
import type { Scores } from './scores.ts';

/** The words of documents in memory, by slots that are counted from 0. */
export interface HeldWords {
  /** How many numbers are held. */
  readonly size: number;
  add(terms: readonly string[], unigrams: readonly string[]): void;
  /**
   * The documents that hold a word of the query, with the scores of `scoreByWords` to the last bit, in no order.
   * @param selected by slot, 1 for those that are searched
   * @param population how many these are
   */
  score(selected: Uint8Array, population: number, query: Tokens): Scores;
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
    return Int32Array.from(all);
  };
  const toMeanLength = (slots: Int32Array): number => {
    let [terms, unigrams] = [0, 0];
    for (const slot of slots) {
      terms += termCounts.items[slot] ?? 0;
      unigrams += unigramCounts.items[slot] ?? 0;
    }
    return toLength(terms, unigrams) / slots.length;
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
      const asked = [...toAsked(query)].map(([token, weight]) => ({ weight, ...find(token, selected) }));
      const all = toSlots(asked);
      const meanLength = toMeanLength(all);
      const sums = new Float64Array(lengths.length);
      for (const { weight, slots, counts } of asked) {
        const rarity = toRarity(slots.length, population);
        for (let at = 0; at < slots.length; at += 1) {
          const slot = slots[at] ?? 0;
          const damping = toDamping(lengths.items[slot] ?? 0, meanLength);
          sums[slot] = (sums[slot] ?? 0) + toTokenScore(rarity, weight * (counts[at] ?? 0), damping);
        }
      }
      return { slots: all, values: Float64Array.from(all, (slot) => sums[slot] ?? 0) };
    },
  };
}
