import { holdsWord, isCjk, type SearchableText, toQueryWords, toSearchable } from './query-words.ts';
import type { WorldBookEntry } from './worldbook.ts';

/** What one query word adds to a score for each place it is found in. */
const points = { keyword: 2, title: 1, chunk: 3 } as const;

/** One thing found: a chunk, or an entry known by its keywords or title alone. Higher is better. */
export interface WorldBookHit {
  readonly score: number;
  readonly entryId: string;
  readonly chunkId?: string;
  readonly text?: string;
}

/** Finds what a world book says about a query: at most `topK` hits, best first, ties in the order of the book. */
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

/** Without spaces a query word may hold the keyword ("旧码头" holds "码头") as well as be held by it. */
function matchesKeyword(keyword: SearchableText, word: string): boolean {
  return holdsWord(keyword, word) || (isCjk(keyword.folded) && word.includes(keyword.folded));
}
