import {
  type QueryTokens,
  toIdf,
  toLength,
  toLengthNorm,
  toTermScore,
  toTermWeight,
  toWeightedTokens,
  type WeightedToken,
} from '@contextloom/retrieval/ranking';
import { createGrowing, createScratch } from './growing.ts';
import type { Scores } from './scores.ts';

/** The words of documents in memory, by slots that are counted from 0. */
export interface HeldWords {
  /** How many numbers are held. */
  readonly size: number;
  add(terms: readonly string[], unigrams: readonly string[]): void;
  /**
   * The documents that hold a word of the query by their slots, with the scores of `scoreBm25` to the last bit, in no
   * order; good until the next call.
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

/** Told of a document that holds a word, and how often. */
type Visit = (slot: number, count: number) => void;

/** What is known of a query's words before the first document is scored: how rare each is, and how long the documents are. */
interface Statistics {
  readonly idfOf: (token: string) => number;
  readonly meanLength: number;
}

function countEach(tokens: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/** How long the piece of a list is in which its `ordinal`-th posting lies, counted from 1: those before have one less. */
function toPiece(ordinal: number): number {
  return 2 ** (31 - Math.clz32(ordinal));
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
      const ordinal = (totals.items[word] ?? 0) + 1;
      const piece = toPiece(ordinal);
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
    /** Visits the selected documents that hold a word. */
    visit: (word: number, selected: Uint8Array, visit: Visit): void => {
      const numbers = items.items;
      let ordinal = totals.items[word] ?? 0;
      for (let head = heads.items[word] ?? END; head !== END; head = numbers[head] ?? END) {
        const piece = toPiece(ordinal);
        const end = head + 1 + (ordinal - piece);
        for (let at = head + 1; at <= end; at += 1) {
          const posting = numbers[at] ?? 0;
          const slot = posting >>> COUNT_BITS;
          if (selected[slot] !== 1) continue;
          const count = posting & MAX_COUNT;
          visit(slot, count < MAX_COUNT ? count : (many.get(at) ?? MAX_COUNT));
        }
        ordinal = piece - 1;
      }
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
  const visit = (token: string, selected: Uint8Array, visitor: Visit): void => {
    const word = words.get(token);
    if (word !== undefined) postings.visit(word, selected, visitor);
  };
  const scratch = {
    seen: createScratch((length) => new Uint8Array(length)),
    slots: createScratch((length) => new Int32Array(length)),
    sums: createScratch((length) => new Float64Array(length)),
    best: createScratch((length) => new Float64Array(length)),
    values: createScratch((length) => new Float64Array(length)),
  };

  /** The documents that hold one of the tokens, each once, and what is to be known of them. */
  const look = (tokens: ReadonlySet<string>, selected: Uint8Array, population: number) => {
    const [seen, slots] = [scratch.seen(lengths.length), scratch.slots(lengths.length)];
    const [allTerms, allUnigrams] = [termCounts.items, unigramCounts.items];
    const holders = new Map<string, number>();
    let [count, terms, unigrams] = [0, 0, 0];
    for (const token of tokens) {
      let holding = 0;
      visit(token, selected, (slot) => {
        holding += 1;
        if (seen[slot] === 1) return;
        seen[slot] = 1;
        slots[count] = slot;
        count += 1;
        terms += allTerms[slot] ?? 0;
        unigrams += allUnigrams[slot] ?? 0;
      });
      holders.set(token, holding);
    }
    const statistics: Statistics = {
      idfOf: (token) => toIdf(holders.get(token) ?? 0, population),
      meanLength: toLength(terms, unigrams) / count,
    };
    return { slots: slots.subarray(0, count), statistics };
  };
  /** Adds to the sums what a token of the query is worth to those that hold it or what stands for it: of these, the best. */
  const addToken = (
    { token, weight, forms }: WeightedToken,
    { sums, best }: Record<'sums' | 'best', Float64Array>,
    selected: Uint8Array,
    { idfOf, meanLength }: Statistics,
  ): void => {
    const all = lengths.items;
    for (const [form, share] of forms) {
      const worth = toTermWeight(share, idfOf(form), idfOf(token));
      visit(form, selected, (slot, count) => {
        const score = toTermScore(worth, weight * count, toLengthNorm(all[slot] ?? 0, meanLength));
        best[slot] = Math.max(best[slot] ?? 0, score);
      });
    }
    for (const form of forms.keys()) {
      visit(form, selected, (slot) => {
        sums[slot] = (sums[slot] ?? 0) + (best[slot] ?? 0);
        best[slot] = 0; // So that it counts once, however many forms the document holds.
      });
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
      const sought = toWeightedTokens(query);
      const tokens = new Set(sought.flatMap(({ forms }) => [...forms.keys()]));
      const { slots, statistics } = look(tokens, selected, population);
      const [sums, best] = [scratch.sums(lengths.length), scratch.best(lengths.length)];
      for (const one of sought) addToken(one, { sums, best }, selected, statistics);
      const values = scratch.values(slots.length);
      for (let at = 0; at < slots.length; at += 1) values[at] = sums[slots[at] ?? 0] ?? 0;
      return { keys: slots, values };
    },
  };
}
