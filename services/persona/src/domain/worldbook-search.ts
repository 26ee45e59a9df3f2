import { holdsWord, isCjk, type SearchableText, toQueryWords, toSearchable } from './query-words.ts';
import type { WorldBookEntry } from './worldbook.ts';

/** The points of a query word for each place that has it. */
const points = { keyword: 2, title: 1, chunk: 3 } as const;

/** A hit: a chunk, or an entry that matches by its keywords or title alone. A higher score is better. */
export interface WorldBookHit {
  readonly score: number;
  readonly entryId: string;
  readonly chunkId?: string;
  readonly text?: string;
}

/** Searches a world book: at most `topK` hits, best first, ties in the order of the book. */
export type WorldBookSearch = (query: string, topK: number) => readonly WorldBookHit[];

/**
 * Makes a world book searchable. Every query word adds 2 when a keyword matches, 1 for the title and 3 for the chunk.
 */
export function createWorldBookSearch(entries: readonly WorldBookEntry[]): WorldBookSearch {
  const searchable = entries.map(toSearchableEntry);
  const terms = searchable.flatMap(({ keywords, title }) => [...keywords, title]);
  const texts = [...terms, ...searchable.flatMap(({ chunks }) => chunks.map((chunk) => chunk.searchable))];
  return (query, topK) => {
    const words = toQueryWords(query, terms, texts);
    return searchable
      .flatMap((entry) => scoreEntry(entry, words))
      .sort((a, b) => b.score - a.score)
      .slice(0, topK);
  };
}

function toSearchableEntry(entry: WorldBookEntry) {
  return {
    id: entry.id,
    keywords: entry.keywords.map(toSearchable),
    title: toSearchable(entry.title),
    chunks: entry.chunks.map(({ id, text }) => ({ id, text, searchable: toSearchable(text) })),
  };
}

function scoreEntry(entry: ReturnType<typeof toSearchableEntry>, words: readonly string[]): readonly WorldBookHit[] {
  const count = (test: (word: string) => boolean) => words.filter(test).length;
  const inKeywords = count((word) => entry.keywords.some((keyword) => matchesKeyword(keyword, word)));
  const inTitle = count((word) => holdsWord(entry.title, word));
  const base = points.keyword * inKeywords + points.title * inTitle;
  const chunks = entry.chunks.flatMap(({ id, text, searchable }): WorldBookHit[] => {
    const inChunk = count((word) => holdsWord(searchable, word));
    return inChunk === 0 ? [] : [{ score: base + points.chunk * inChunk, entryId: entry.id, chunkId: id, text }];
  });
  return chunks.length > 0 || base === 0 ? chunks : [{ score: base, entryId: entry.id }];
}

/** In text without spaces a query word may contain the keyword ("旧码头" contains "码头"), or the keyword the word. */
function matchesKeyword(keyword: SearchableText, word: string): boolean {
  return holdsWord(keyword, word) || (isCjk(keyword.folded) && word.includes(keyword.folded));
}
