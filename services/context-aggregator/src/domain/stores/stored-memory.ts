import type { Withheld } from '@contextloom/contracts';
import { cutSnippet, findMatches, readQuestion, toComparableText } from '@contextloom/retrieval';
import {
  cutPassage,
  gradeHits,
  rankTexts,
  readSearchQuery,
  scoreWords,
  toQuestionTokens,
  toSureness,
} from '@contextloom/retrieval/ranking';
import type { SanitizeText } from '../firewall/sanitize-text.ts';

/** A memory as its store has it. */
export interface StoredMemory {
  /** Its id in the store. */
  readonly own: string;
  readonly text: string;
  /** ISO 8601; when it happened, else when it was written. */
  readonly time?: string | undefined;
  /** Further words that ask of it; no answer shows them. */
  readonly askedBy?: string | undefined;
  /** Whether the text is a piece of a conversation, a turn a line. */
  readonly isConversation?: boolean | undefined;
}

/** A memory, with all that its store says of it. */
export interface WholeMemory extends StoredMemory {
  readonly details: Readonly<Record<string, unknown>>;
}

/** A memory that a search found. */
export interface FoundMemory extends StoredMemory {
  /** Its relevance, 0 to 1; the same in all stores. */
  readonly score: number;
}

/** The memories that fit a question, best first, of a store that lists them without a search by meaning. */
export function chooseMemories(
  query: string,
  memories: readonly StoredMemory[],
  limit: number,
): readonly FoundMemory[] {
  const passages = memories.map(({ text, askedBy }, at) => ({
    id: String(at),
    text: askedBy === undefined ? text : `${text}\n${askedBy}`,
  }));
  const search = readSearchQuery(query);
  // 我多大了 asks of nothing but an attribute.
  const { hits } = rankTexts({ ...search, isEmpty: false }, scoreWords(search, passages));
  return hits.slice(0, limit).flatMap(({ id, relevance }) => {
    const memory = memories[Number(id)];
    return memory === undefined ? [] : [{ ...memory, score: Math.round(relevance * 1_000) / 1_000 }];
  });
}

/** Longest text of a memory in an answer, in UTF-16 code units: ten of them are some 2,500 tokens. */
const MAX_TEXT = 1_000;

/** The text itself, or the passage of a long one that fits a question best. */
export function toShownText(text: string, query: string, maxLength = MAX_TEXT): string {
  if (text.length <= maxLength) return text;
  return cutSnippet(text, findMatches(text, toQuestionTokens(query)), { maxLength }).text;
}

/** A found memory, and which kind it is. */
export type Hit<Kind extends string> = FoundMemory & { readonly kind: Kind };

/** What several stores found, as one list. */
export interface Ranked<Kind extends string> {
  /** Best first, each text once. */
  readonly hits: readonly Hit<Kind>[];
  /** How many were left out since they are orders to the assistant and no memories. */
  readonly instructions: number;
  readonly withheld?: Withheld;
}

/** What hits are ranked with. */
export interface RankOptions {
  readonly sanitize: SanitizeText;
  readonly query: string;
  readonly limit: number;
  readonly countTokens: (text: string) => number;
}

/** Each text once, best first; of two with the same text the one of the earlier store stays. */
function toDistinct<Kind extends string>(found: readonly Hit<Kind>[]): readonly Hit<Kind>[] {
  const seen = new Set<string>();
  return [...found]
    .sort((a, b) => b.score - a.score)
    .filter(({ text }) => {
      const key = toComparableText(text);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    });
}

/** The scores of the kind of which it is surest that one of them answers: what is doubtful everywhere is not sure together. */
function toSurest<Kind extends string>(hits: readonly Hit<Kind>[]): readonly number[] {
  const byKind = new Map<Kind, readonly number[]>();
  for (const { kind, score } of hits) byKind.set(kind, [...(byKind.get(kind) ?? []), score]);
  const isSurer = (one: readonly number[], other: readonly number[]): boolean => toSureness(one) > toSureness(other);
  return [...byKind.values()].reduce((surest, scores) => (isSurer(scores, surest) ? scores : surest), []);
}

/** Ranks what several stores found by relevance, and tells as much of it as it is sure of: nothing for a greeting. */
export function rankHits<Kind extends string>(
  found: readonly Hit<Kind>[],
  { sanitize, query, limit, countTokens }: RankOptions,
): Ranked<Kind> {
  const distinct = toDistinct(found);
  // 我多大了 asks of nothing but an attribute, by words that ask alone; a greeting asks of none.
  const { isEmpty } = readQuestion(query);
  const answers = distinct.filter(({ askedBy }) => !isEmpty || askedBy !== undefined);
  const { minRelevance = Number.POSITIVE_INFINITY, most } = gradeHits(toSurest(answers)) ?? {};
  const wanted = Math.min(limit, most?.passages ?? limit);
  const toShown = (text: string): string => {
    if (most === undefined) return toShownText(text, query);
    return cutPassage(text, toQuestionTokens(query), { most: most.tokens / most.passages, countTokens });
  };
  const hits: Hit<Kind>[] = [];
  const seen = new Set<Hit<Kind>>();
  let instructions = 0;
  for (const hit of answers) {
    if (hits.length === wanted || hit.score < minRelevance) break;
    seen.add(hit);
    const { text } = sanitize(toShown(hit.text), { hasSpeakers: hit.isConversation === true });
    if (text.trim() === '') instructions += 1;
    else hits.push({ ...hit, text });
  }
  const rest = distinct.filter((hit) => !seen.has(hit));
  if (rest.length === 0) return { hits, instructions };
  return { hits, instructions, withheld: { count: rest.length, best_relevance: rest[0]?.score ?? 0 } };
}
