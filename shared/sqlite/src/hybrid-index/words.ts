import { countTokens, type TokenCounts, type Tokens } from '@contextloom/retrieval';
import type { WordColumns } from './word-columns.ts';

/**
 * The words of a text as numbers of 32 bits: how many terms it has, how many unigrams, and for each distinct token 32 bits of
 * its hash, then 12 more of them over 20 bits of how often it occurs. Among a million different words, a word of a query
 * meets a stranger with its hash once in 17 million queries.
 */
export type Words = Uint32Array;

const HEADER = 2;
const FREQUENCY_BITS = 20;
const MAX_FREQUENCY = 2 ** FREQUENCY_BITS - 1;
/** Bytes of the table that tells of nearly every word at once that it is none of those looked for. */
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
    ...{ terms: countEach(terms), unigrams: countEach(unigrams) },
    ...{ termCount: terms.length, unigramCount: unigrams.length },
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

/** Told of the tokens that a text has: first how long the text is, then each by its place among those looked for. */
export interface WordsVisitor {
  begin(terms: number, unigrams: number): void;
  count(token: number, frequency: number): void;
}

/** Looks for the tokens in the words of one slot; tells whether there are any. */
export type VisitWords = (columns: WordColumns, slot: number, visitor: WordsVisitor) => boolean;

/** Builds the look-up of some tokens: a hash table, behind a smaller one of single bytes. */
export function createVisitWords(tokens: readonly string[]): VisitWords {
  const hashes = tokens.map(toHash);
  const mask = 2 ** Math.ceil(Math.log2(2 * tokens.length + 1)) - 1;
  const places = new Int32Array(mask + 1).fill(-1);
  hashes.forEach(([low], token) => {
    let place = low & mask;
    while (places[place] !== -1) place = (place + 1) & mask;
    places[place] = token;
  });
  const isCandidate = new Uint8Array(FILTER);
  for (const [low] of hashes) isCandidate[low & (FILTER - 1)] = 1;
  const find = (low: number, high: number): number => {
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const token = places[place] ?? -1;
      if (token === -1 || (hashes[token]?.[0] === low && hashes[token]?.[1] === high)) return token;
    }
  };
  return ({ terms, unigrams, starts, hashes: lows, rests }, slot, visitor) => {
    const end = starts[slot + 1] as number;
    let hasAny = false;
    for (let at = starts[slot] as number; at < end; at += 1) {
      const low = lows[at] as number;
      if (isCandidate[low & (FILTER - 1)] === 0) continue; // As nearly all.
      const rest = rests[at] as number;
      const token = find(low, (rest & ~MAX_FREQUENCY) >>> 0);
      if (token === -1) continue;
      if (!hasAny) visitor.begin(terms[slot] as number, unigrams[slot] as number);
      hasAny = true;
      visitor.count(token, rest & MAX_FREQUENCY);
    }
    return hasAny;
  };
}
