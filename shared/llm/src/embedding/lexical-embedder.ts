import { setImmediate as nextTurn } from 'node:timers/promises';
import { ContextloomError } from '@contextloom/contracts';
import { countTokens, normalize } from '@contextloom/retrieval';
import type { Embedder } from './embedder.ts';

/**
 * FNV-1a over the UTF-16 code units of a text (Fowler, Noll, Vo), finished with MurmurHash3's mixer, because the low bits
 * of FNV-1a alone are too regular to pick a bucket and a sign. An unsigned 32-bit integer.
 */
export function hashText(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Each kind of feature has a hash seed of its own, so that the character 猫 and a word spelled alike do not meet. */
const seeds = { term: 1, unigram: 2, gram: 3, empty: 4 } as const;

const unigramWeight = 0.4;
const gramWeight = 0.5;

/** Below this, terms are words, which have inner n-grams; from here on they are CJK bigrams, which have none. */
const firstCjkCharacter = '\u2e80';

/** Characters embedded at a stretch, some 20 ms of work, before other work of the process gets its turn. */
const stretch = 32_768;
/** The cost of a short text, in characters. */
const leastCost = 1_024;

/** Features kept of words that may come again: some 20 MB. A batch of nothing but different words would keep gigabytes. */
const maxKeptFeatures = 400_000;

interface Feature {
  readonly bucket: number;
  readonly value: number;
}

/**
 * An embedder with no model: signed feature hashing (Weinberger et al. 2009) of stemmed words, CJK bigrams and
 * characters, and the 3- to 5-grams of each word. The same text gives the same vector in every process; a text without a
 * letter or digit gives one fixed vector, so that every vector has length 1 and no cosine is undefined.
 */
export function createLexicalEmbedder({ dimensions = 384 }: { readonly dimensions?: number } = {}): Embedder {
  if (!(Number.isSafeInteger(dimensions) && dimensions > 0)) {
    throw new ContextloomError('invalid', 'dimensions must be a whole number above 0', { field: 'dimensions' });
  }
  return {
    identity: { provider: 'lexical', model: 'lexical-v2', dimensions },
    embed: async (texts, signal) => {
      const featuresOf = createFeatureReader(dimensions);
      const vectors: Float32Array[] = [];
      let embedded = 0;
      for (const text of texts) {
        if (embedded >= stretch) {
          await nextTurn();
          embedded = 0;
        }
        signal?.throwIfAborted();
        embedded += Math.max(text.length, leastCost);
        vectors.push(embedText(text, dimensions, featuresOf));
      }
      return vectors;
    },
  };
}

type FeatureReader = (term: string) => readonly Feature[];

function embedText(text: string, dimensions: number, featuresOf: FeatureReader): Float32Array {
  const { terms, unigrams } = countTokens(text);
  const vector = new Float32Array(dimensions);
  const add = ({ bucket, value }: Feature, weight: number) => {
    vector[bucket] = (vector[bucket] ?? 0) + value * weight;
  };
  for (const [term, count] of terms) {
    for (const feature of featuresOf(term)) add(feature, dampen(count));
  }
  for (const [character, count] of unigrams) {
    add(toFeature(character, seeds.unigram, unigramWeight, dimensions), dampen(count));
  }
  if (vector.every((x) => x === 0)) add(toFeature('', seeds.empty, 1, dimensions), 1);
  return normalize(vector);
}

/** Words repeat within a batch: their features are worked out once, as long as not too many are kept. */
function createFeatureReader(dimensions: number): FeatureReader {
  const known = new Map<string, readonly Feature[]>();
  let kept = 0;
  return (term) => {
    const before = known.get(term);
    if (before !== undefined) return before;
    const features = toFeatures(term, dimensions);
    if (kept > maxKeptFeatures) {
      known.clear();
      kept = 0;
    }
    known.set(term, features);
    kept += features.length;
    return features;
  };
}

function toFeatures(term: string, dimensions: number): readonly Feature[] {
  const whole = toFeature(term, seeds.term, 1, dimensions);
  if (term >= firstCjkCharacter) return [whole];
  const grams = characterGrams(`<${term}>`);
  // All grams of a word together weigh the same, or long words would drown short ones.
  const weight = gramWeight / Math.sqrt(grams.length);
  return [whole, ...grams.map((gram) => toFeature(gram, seeds.gram, weight, dimensions))];
}

function characterGrams(marked: string): readonly string[] {
  const grams: string[] = [];
  for (let size = 3; size <= 5; size += 1) {
    for (let start = 0; start + size <= marked.length; start += 1) grams.push(marked.slice(start, start + size));
  }
  return grams;
}

function toFeature(text: string, seed: number, weight: number, dimensions: number): Feature {
  const hash = hashText(text, seed);
  return { bucket: (hash >>> 1) % dimensions, value: (hash & 1) === 0 ? weight : -weight };
}

/** Sublinear term frequency (Manning, Raghavan, Schütze 2008, section 6.4.1). */
function dampen(count: number): number {
  return 1 + Math.log(count);
}
