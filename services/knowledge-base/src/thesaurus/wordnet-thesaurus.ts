import type { Thesaurus } from '@contextloom/retrieval/ranking';
import { createLazy, createTimeSlices } from '@contextloom/retrieval/scheduling';
import { type Indexes, type ReadSynset, readIndexes, withSynsets } from './wordnet-files.ts';
import { findSynsets, type SynsetAddress } from './wordnet-index.ts';
import { toLemmas } from './wordnet-lemmas.ts';
import type { Synset } from './wordnet-synset.ts';

/** Of each part of speech the two commonest senses: rarer ones lead away from what was asked for. */
const MAX_SENSES = 2;
/** Most related words of one word, and most words whose related ones are kept. */
const MAX_RELATED = 16;
const MAX_KEPT = 2_000;

/**
 * Which relations are followed, nearest first: other word classes (`allergic`, `allergy`), parts and wholes (`hospital`, `ward`),
 * wider words, narrower words.
 */
const relations = {
  ...{ derived: ['+', '\\'], parts: ['%p', '%m', '%s', '#p', '#m', '#s'] },
  ...{ wider: ['@'], narrower: ['~'] },
} as const;

interface Sense {
  readonly lemma: string;
  readonly synset: Synset;
}

/** The senses of a word, all the commonest ones before all the second ones. */
function findSenses(word: string, indexes: Indexes, read: ReadSynset): readonly Sense[] {
  const found: { readonly lemma: string; readonly addresses: readonly SynsetAddress[] }[] = [];
  for (const [part, file] of indexes) {
    for (const lemma of toLemmas(word, part)) found.push({ lemma, addresses: findSynsets(file, part, lemma) });
  }
  return Array.from({ length: MAX_SENSES }, (_, sense) => sense).flatMap((sense) =>
    found.flatMap(({ lemma, addresses }) => {
      const address = addresses[sense];
      return address === undefined ? [] : [{ lemma, synset: read(address) }];
    }),
  );
}

/** The words that one kind of relation leads to: from the whole synset, or from the lemma's place in it. */
function* follow({ lemma, synset }: Sense, symbols: readonly string[], read: ReadSynset): Generator<string> {
  const place = synset.words.findIndex((word) => word.toLowerCase() === lemma) + 1;
  for (const { symbol, source, target, to } of synset.pointers) {
    if (!symbols.includes(symbol) || (source !== 0 && source !== place)) continue;
    yield* read(to).words.filter((_, at) => target === 0 || target === at + 1);
  }
}

/** All words of the synsets that one kind of relation leads to, from whichever of the words of a synset. */
function* followAny({ synset }: Sense, symbols: readonly string[], read: ReadSynset): Generator<string> {
  for (const { symbol, to } of synset.pointers) {
    if (symbols.includes(symbol)) yield* read(to).words;
  }
}

/** All related words, nearest first, each found only when it is asked for: a `person` has four hundred narrower words. */
function* findAll(senses: readonly Sense[], read: ReadSynset): Generator<string> {
  for (const sense of senses) yield* follow(sense, relations.derived, read);
  for (const { synset } of senses) yield* synset.words;
  // By way of a synonym: to marry is to wed, and of that is a wedding.
  for (const sense of senses) yield* followAny(sense, relations.derived, read);
  for (const sense of senses) yield* follow(sense, relations.parts, read);
  for (const sense of senses) yield* follow(sense, relations.wider, read);
  for (const sense of senses) yield* follow(sense, relations.narrower, read);
}

function relate(word: string, indexes: Indexes, read: ReadSynset): readonly string[] {
  const found = new Set<string>();
  for (const one of findAll(findSenses(word, indexes, read), read)) {
    if (found.size >= MAX_RELATED) break;
    // Single words in lower case: a phrase is several words of a query, and a name has no synonyms.
    if (/^[a-z]+$/.test(one) && one !== word) found.add(one);
  }
  return [...found];
}

/**
 * Builds the thesaurus over the files of Princeton's WordNet 3.1 (Miller 1995), in a folder. They are first opened when first
 * asked.
 */
export function createWordnetThesaurus(folder: string): Thesaurus {
  const kept = new Map<string, readonly string[]>();
  const run = createTimeSlices();
  const files = createLazy(() => readIndexes(folder));
  return {
    findRelated: async (words) => {
      const found = new Map<string, readonly string[]>();
      const find = async (word: string, indexes: Indexes): Promise<void> => {
        const known = kept.get(word) ?? (await run(() => withSynsets(folder, (read) => relate(word, indexes, read))));
        if (kept.size > MAX_KEPT) kept.clear();
        kept.set(word, known);
        found.set(word, known);
      };
      const asked = [...new Set(words)].filter((word) => /^[a-z]{2,45}$/.test(word));
      if (asked.length > 0) {
        const indexes = await files.get();
        await Promise.all(asked.map((word) => find(word, indexes)));
      }
      return found;
    },
  };
}
