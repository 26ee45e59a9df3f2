import { countTokens, type TokenCounts, type Tokens } from '@contextloom/retrieval';
import type { WordBuckets, WordColumns } from './word-columns.ts';

/**
 * The words of a text as numbers of 32 bits: how many terms it has, how many unigrams, and for each distinct token 32 bits of
 * its hash, then 12 more of them over 20 bits of how often it occurs. Among a million different words, a word of a query
 * meets a stranger with its hash once in 17 million queries.
 */
export type Words = Uint32Array;

const HEADER = 2;
const FREQUENCY_BITS = 20;
const MAX_FREQUENCY = 2 ** FREQUENCY_BITS - 1;
/** Stands for a token that is not looked for, and for a text that has none so far. */
const NONE = -1;
/** Stands for a text that is not searched. */
const UNWANTED = -2;
/** Bytes of the table that rules out nearly every word that the query does not have in one step. */
const FILTER = 2 ** 14;

/** Mixes the bits of a number so that each depends on all (the finalizer of MurmurHash3). */
function mix(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** The two parts of a token's hash, the second in the bits above those of a frequency. */
function toHash(token: string): readonly [number, number] {
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < token.length; at += 1) {
    const unit = token.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x5bd1e995);
    high ^= high >>> 15;
  }
  return [mix(low), (mix(high) & ~MAX_FREQUENCY) >>> 0];
}

function countEach(tokens: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

function toCounts(text: Tokens | string): TokenCounts {
  if (typeof text === 'string') return countTokens(text, { keepStopWords: true });
  const { terms, unigrams } = text;
  return {
    terms: countEach(terms),
    unigrams: countEach(unigrams),
    termCount: terms.length,
    unigramCount: unigrams.length,
  };
}

/** The words of a text, or of its tokens. */
export function toWords(text: Tokens | string): Words {
  const { terms, unigrams, termCount, unigramCount } = toCounts(text);
  const words = new Uint32Array(HEADER + 2 * (terms.size + unigrams.size));
  words.set([termCount, unigramCount]);
  let at = HEADER;
  for (const counts of [terms, unigrams]) {
    for (const [token, frequency] of counts) {
      const [low, high] = toHash(token);
      words[at] = low;
      words[at + 1] = high | Math.min(frequency, MAX_FREQUENCY);
      at += 2;
    }
  }
  return words;
}

/** Called for the tokens that texts have: of each first how long it is, which numbers it, then each token by its place among those looked for. */
export interface WordsVisitor {
  begin(terms: number, unigrams: number): number;
  count(text: number, token: number, frequency: number): void;
}

/** Some tokens to look for: a hash table, behind a smaller one of single bytes. */
export interface WordLookup {
  /** Both parts of the tokens' hashes, by their places among those looked for. */
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
  /** The places of tokens by hash, -1 for none; the next one is tried where another token is. */
  readonly table: Int32Array;
  /** By some bits of a hash, whether a token has it. */
  readonly isCandidate: Uint8Array;
}

/** The look-up of some tokens. */
export function toWordLookup(tokens: readonly string[]): WordLookup {
  const hashes = tokens.map(toHash);
  const table = new Int32Array(2 ** Math.ceil(Math.log2(2 * tokens.length + 1))).fill(-1);
  const isCandidate = new Uint8Array(FILTER);
  for (const [token, [low]] of hashes.entries()) {
    let place = low & (table.length - 1);
    while (table[place] !== -1) place = (place + 1) & (table.length - 1);
    table[place] = token;
    isCandidate[low & (FILTER - 1)] = 1;
  }
  return {
    lows: Uint32Array.from(hashes, ([low]) => low),
    highs: Uint32Array.from(hashes, ([, high]) => high),
    table,
    isCandidate,
  };
}

/** The place of a token by its hash, or -1. */
function findToken({ lows, highs, table }: WordLookup, low: number, high: number): number {
  const mask = table.length - 1;
  for (let place = low & mask; ; place = (place + 1) & mask) {
    const token = table[place] as number;
    if (token === NONE || (lows[token] === low && highs[token] === high)) return token;
  }
}

/** Looks for the tokens in the words of one slot, which are not sorted; tells whether there are any. */
export function visitWords(columns: WordColumns, slot: number, lookup: WordLookup, visitor: WordsVisitor): boolean {
  const { hashes, rests, starts } = columns;
  const { isCandidate } = lookup;
  const end = starts[slot + 1] as number;
  let text = NONE;
  for (let at = starts[slot] as number; at < end; at += 1) {
    const low = hashes[at] as number;
    if (isCandidate[low & (FILTER - 1)] === 0) continue; // As nearly all.
    const rest = rests[at] as number;
    const token = findToken(lookup, low, (rest & ~MAX_FREQUENCY) >>> 0);
    if (token === NONE) continue;
    if (text === NONE) text = visitor.begin(columns.terms[slot] as number, columns.unigrams[slot] as number);
    visitor.count(text, token, rest & MAX_FREQUENCY);
  }
  return text !== NONE;
}

/** Looks for the tokens in sorted words of some slots; gives those that have any, in the order in which the visitor got them. */
export function visitSortedWords(
  columns: WordColumns,
  { starts, slots: slotOf }: WordBuckets,
  { wanted, lookup }: { readonly wanted: Int32Array; readonly lookup: WordLookup },
  visitor: WordsVisitor,
): readonly number[] {
  const { hashes, rests } = columns;
  const { lows, highs } = lookup;
  const mask = starts.length - 2;
  const texts = new Int32Array(columns.terms.length).fill(UNWANTED);
  for (let at = 0; at < wanted.length; at += 1) texts[wanted[at] as number] = NONE;
  const begun: number[] = [];
  for (let token = 0; token < lows.length; token += 1) {
    const [low, high] = [lows[token] as number, highs[token] as number];
    const end = starts[(low & mask) + 1] as number;
    for (let at = starts[low & mask] as number; at < end; at += 1) {
      const rest = rests[at] as number;
      if (hashes[at] !== low || (rest & ~MAX_FREQUENCY) >>> 0 !== high) continue;
      const slot = slotOf[at] as number;
      let text = texts[slot] as number;
      if (text === UNWANTED) continue;
      if (text === NONE) {
        text = visitor.begin(columns.terms[slot] as number, columns.unigrams[slot] as number);
        texts[slot] = text;
        begun.push(slot);
      }
      visitor.count(text, token, rest & MAX_FREQUENCY);
    }
  }
  return begun;
}
