import { isWordOf } from '../text/chinese/chinese-words.ts';
import { simplify } from '../text/chinese/simplify.ts';
import { isCommonTerm } from '../text/words/common-words.ts';
import { countTokens, type TokenCounts, tokenize } from '../text/words/tokenize.ts';
import { toIdf } from './bm25.ts';
import type { ExpansionTerm, QueryTokens } from './query-tokens.ts';
import type { CosineScale } from './relevance-scale.ts';

/** A text that a search came across, and its cosine to the question where that is known. */
export interface Passage {
  readonly id: string;
  readonly text: string;
  readonly cosine?: number | undefined;
}

/** How relevance is measured. */
export interface RelevanceOptions {
  /** What cosines tell; words alone count when absent. */
  readonly cosine?: CosineScale | undefined;
  /** How much of all texts together is looked at, in UTF-16 code units. */
  readonly limit?: number;
}

/**
 * What a question's parts count besides their idf: a single CJK character next to a word, and a word that texts about anything
 * have. Of a Chinese word that a text has not whole: what its pairs of characters tell, and what its characters do. What stands
 * for a word by a share of `carries` or more may carry a text alone. `words` is how much of the relevance words give where
 * vectors tell as well.
 */
const SHARES = {
  unigram: 0.6,
  common: 0.5,
  pairs: 0.9,
  characters: 0.25,
  carries: 0.3,
  words: 0.85,
} as const;

/**
 * So many texts without any word of the question are counted along: in a store of three memories a word that all of them have
 * is still rarer than one in ten thousand texts of a language, and relevance means the same in stores of any size.
 */
const BACKGROUND = 200;

/** So many parts of a question are enough to know that a text is about it: people write whole paragraphs. */
const ENOUGH = 12;

/** Limit over all texts together by default: some 20 ms. */
const MAX_READ = 200_000;

/** In how much of all texts together the words of a question are looked for, where they are too long to be read: some 20 ms. */
const MAX_SCANNED = 8_000_000;

/** What is read of a text that is too long: its beginning, and around the first places where words of the question stand. */
function toExcerpt(text: string, length: number, { terms }: QueryTokens): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  const around = Math.floor(half / Math.max(1, terms.length) / 2);
  const lower = text.toLowerCase();
  const places = terms.flatMap((term) => {
    // A term is a stem, whose last letters may differ from the word's.
    const at = lower.indexOf(term.slice(0, Math.max(4, term.length - 2)));
    return at < half ? [] : [text.slice(Math.max(0, at - around), at + around)];
  });
  return [text.slice(0, half), ...places].join('\n');
}

/** A part of a question: a word, or a single CJK character of a question without words. */
interface Part {
  /** A text that has them all has the part. */
  readonly tokens: readonly string[];
  /** The characters of a Chinese word of several, some of which a text may have. */
  readonly characters: readonly string[];
  readonly weight: number;
  /** What stands for it by its share. */
  readonly others: readonly ExpansionTerm[];
  readonly isTerm: boolean;
  /** Whether it is a word that texts about anything have, next to one that they lack. */
  readonly isCommon: boolean;
}

const has = ({ terms, unigrams }: TokenCounts, token: string): boolean => terms.has(token) || unigrams.has(token);

const hanOnly = /^\p{Script=Han}+$/u;
const hanCharacter = /^\p{Script=Han}$/u;

/** A text as it is measured: its tokens, and which characters are words of it. */
interface Measured extends TokenCounts {
  readonly isWord: (character: string) => boolean;
}

function toMeasured(text: string): Measured {
  let simplified: string | undefined;
  const known = new Map<string, boolean>();
  const isWord = (character: string): boolean => {
    simplified ??= simplify(text);
    const found = known.get(character) ?? isWordOf(simplified, character);
    known.set(character, found);
    return found;
  };
  return { ...countTokens(text, { keepStopWords: true }), isWord };
}

/** Whether a text has what stands for a word of the question; a single character has to be a word: 冰岛 tells nothing of 冰. */
function tells(text: Measured, { term, rest = [] }: ExpansionTerm): boolean {
  if (!has(text, term) || !rest.every((one) => has(text, one))) return false;
  return rest.length > 0 || !hanCharacter.test(term) || text.isWord(term);
}

/** The Chinese words of a question as parts, without the pairs of characters that end one word and begin the next. */
function toChineseParts({ words = [] }: QueryTokens): readonly Omit<Part, 'weight' | 'others' | 'isCommon'>[] {
  return words.map((word) => {
    const { terms, unigrams } = tokenize(word, { keepStopWords: true });
    const isTerm = terms.length > 0;
    return { tokens: isTerm ? terms : unigrams, characters: isTerm ? unigrams : [], isTerm };
  });
}

function toParts(query: QueryTokens, texts: readonly TokenCounts[]): readonly Part[] {
  const { expansions = [], words = [] } = query;
  const isPart = (token: string): boolean => words.length === 0 || !hanOnly.test(token);
  const parts = [
    ...query.terms.filter(isPart).map((token) => ({ tokens: [token], characters: [], isTerm: true })),
    ...toChineseParts(query),
    ...query.unigrams.filter(isPart).map((token) => ({ tokens: [token], characters: [], isTerm: false })),
  ];
  const isCommonPart = ({ tokens, isTerm }: (typeof parts)[number]): boolean => isTerm && tokens.every(isCommonTerm);
  const areAllCommon = parts.every(isCommonPart);
  return parts.map((part) => {
    const { tokens, characters, isTerm } = part;
    const frequency = texts.filter((text) => tokens.every((token) => has(text, token))).length;
    const share = isTerm ? (isCommonPart(part) ? SHARES.common : 1) : SHARES.unigram;
    const others = expansions.filter(({ of }) => tokens.includes(of) || characters.includes(of));
    const isCommon = isCommonPart(part) && !areAllCommon;
    return { ...part, others, isCommon, weight: share * toIdf(frequency, texts.length + BACKGROUND) };
  });
}

/** How much of a Chinese word a text has, where it has not all of it. */
function toPartialShare(text: TokenCounts, { tokens, characters }: Part): number {
  const pairs = tokens.filter((token) => has(text, token)).length / tokens.length;
  const single = characters.filter((token) => has(text, token)).length / Math.max(1, characters.length);
  return Math.max(SHARES.pairs * pairs, SHARES.characters * single);
}

/** What a text tells of a part, in [0,1], and whether in words that may carry it alone. */
function toShare(text: Measured, part: Part): { readonly share: number; readonly isOwn: boolean } {
  const { tokens, others, isTerm } = part;
  if (tokens.every((token) => has(text, token))) return { share: 1, isOwn: isTerm };
  const related = others.reduce((best, other) => {
    const share = other.tells ?? other.weight;
    return share > best && tells(text, other) ? share : best;
  }, 0);
  const partial = part.characters.length > 0 ? toPartialShare(text, part) : 0;
  return { share: Math.max(related, partial), isOwn: related >= SHARES.carries || partial > SHARES.characters };
}

/** The share of a question's weight that a text carries, and whether some of that is more than words that texts about anything have. */
interface Coverage {
  readonly share: number;
  readonly isCovered: boolean;
}

/** How much of a question a text carries; nothing where it has none of its words but distant or single ones. */
function toCoverage(text: Measured, parts: readonly Part[], { terms }: QueryTokens): Coverage {
  // Two characters next to each other are a word where the dictionary takes them for two: 黑猫.
  const hasPair = terms.some((term) => hanOnly.test(term) && text.terms.has(term));
  let [carried, all, isOwn, isCovered] = [0, 0, hasPair || terms.length === 0, hasPair];
  for (const part of parts) {
    const partShare = toShare(text, part);
    carried += part.weight * partShare.share;
    all += part.weight;
    isOwn ||= partShare.isOwn;
    isCovered ||= partShare.share > 0 && !part.isCommon;
  }
  if (!isOwn || all === 0) return { share: 0, isCovered: false };
  return { share: Math.min(1, carried / (all * Math.min(1, ENOUGH / parts.length))), isCovered };
}

/** What each text carries. One with common words alone fits no better than the best of those with others: it answers nothing alone. */
function toCoverages(texts: readonly Measured[], query: QueryTokens): readonly number[] {
  const parts = toParts(query, texts);
  const coverages = texts.map((text) => toCoverage(text, parts, query));
  const most = coverages.reduce((best, { share, isCovered }) => (isCovered ? Math.max(best, share) : best), 0);
  return coverages.map(({ share }) => Math.min(share, most));
}

/** What vectors that are as near as answers are come to; the rest tells which of several is nearer, or has the words. */
const NEAR = 0.95;

function toNearness(cosine: number, { none, full }: CosineScale): number {
  if (cosine <= none) return 0;
  if (cosine < full) return (NEAR * (cosine - none)) / (full - none);
  return NEAR + (full < 1 ? (0.99 - NEAR) * Math.min(1, (cosine - full) / (1 - full)) : 0);
}

/**
 * How relevant each text is to a question, in [0,1]: the share of the question's weight that its words carry, and where vectors
 * know meanings how near it is. It means the same whatever else was found. A word of a thesaurus, or a single CJK character of
 * a longer question, adds to what other words tell and tells nothing alone.
 */
export function measureRelevance(
  query: QueryTokens,
  passages: readonly Passage[],
  { cosine: scale, limit = MAX_READ }: RelevanceOptions = {},
): ReadonlyMap<string, number> {
  const each = Math.floor(limit / Math.max(1, passages.length));
  const scanned = Math.max(each, Math.floor(MAX_SCANNED / Math.max(1, passages.length)));
  const texts = passages.map(({ text }) => toMeasured(toExcerpt(text.slice(0, scanned), each, query)));
  const coverages = toCoverages(texts, query);
  return new Map(
    passages.map(({ id, cosine = 0 }, at) => {
      const coverage = coverages[at] ?? 0;
      if (scale === undefined) return [id, coverage];
      return [id, 1 - (1 - SHARES.words * coverage) * (1 - toNearness(cosine, scale))];
    }),
  );
}
