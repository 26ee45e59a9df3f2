import { cutSnippet, findMatches, toComparableText } from '@contextloom/retrieval';
import { chooseFitting, toQuestionTokens, wordsAlone } from '@contextloom/retrieval/ranking';
import type { Guard } from '../firewall/guard.ts';

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
  /** 0 to 1; the same in all stores: the share of the question's weight that the memory tells. */
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
  const { hits } = chooseFitting(toQuestionTokens(query), passages, wordsAlone);
  return hits.slice(0, limit).flatMap(({ id, score }) => {
    const memory = memories[Number(id)];
    return memory === undefined ? [] : [{ ...memory, score: Math.round(score * 1_000) / 1_000 }];
  });
}

/** Longest text of a memory in an answer, in UTF-16 code units: ten of them are some 2,500 tokens. */
const MAX_TEXT = 1_000;

/** The text itself, or the passage of a long one that fits a question best. */
export function toShownText(text: string, query: string): string {
  if (text.length <= MAX_TEXT) return text;
  return cutSnippet(text, findMatches(text, toQuestionTokens(query)), { maxLength: MAX_TEXT }).text;
}

/** A found memory, and which kind it is. */
export type Hit<Kind extends string> = FoundMemory & { readonly kind: Kind };

/** What several stores found, as one list. */
export interface Ranked<Kind extends string> {
  /** Best first, each text once. */
  readonly hits: readonly Hit<Kind>[];
  /** How many were left out since they are orders to the assistant and no memories. */
  readonly withheld: number;
}

/** Ranks what several stores found by relevance; of two with the same text the one of the earlier store stays. */
export function rankHits<Kind extends string>(
  found: readonly Hit<Kind>[],
  { guard, query, limit }: { readonly guard: Guard; readonly query: string; readonly limit: number },
): Ranked<Kind> {
  const seen = new Set<string>();
  const hits: Hit<Kind>[] = [];
  let withheld = 0;
  for (const hit of [...found].sort((a, b) => b.score - a.score)) {
    if (hits.length === limit) break;
    const key = toComparableText(hit.text);
    if (seen.has(key)) continue;
    seen.add(key);
    const { text } = guard(toShownText(hit.text, query), { hasSpeakers: hit.isConversation === true });
    if (text.trim() === '') withheld += 1;
    else hits.push({ ...hit, text });
  }
  return { hits, withheld };
}
