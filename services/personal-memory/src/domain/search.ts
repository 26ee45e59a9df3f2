import { type MemoryContext, toSearchable, toTokens } from './context.ts';
import { toEventText } from './events.ts';
import { createKeywordTest, type MatchMode } from './keywords.ts';
import type { Category, Entity, EntityType, MemoryEvent, ProfileEntry, Status } from './model.ts';
import { round } from './numbers.ts';
import { toProfileText } from './profile.ts';
import type { EventFilter, Hit, MemoryReader } from './store.ts';
import { toTimeRange } from './times.ts';

/** How well something fits the words; nothing when none were asked for. */
export interface Fit {
  /** In [0, 1]. */
  readonly score?: number;
  readonly matched?: readonly string[];
}

/** Something found by words. */
export interface Found<T> extends Fit {
  readonly item: T;
}

/** Which events are meant, as callers say it. */
export interface EventChoice {
  readonly event_type?: MemoryEvent['type'] | undefined;
  readonly entity_id?: number | undefined;
  readonly time_range?: string | undefined;
  readonly event_ids?: readonly number[] | undefined;
}

/** Which events are searched. */
export interface EventSearch extends EventChoice {
  readonly keywords?: readonly string[] | undefined;
  readonly match_mode: MatchMode;
  readonly query?: string | undefined;
  readonly limit: number;
}

/** More candidates than are listed, since not every one has all the words of a keyword. */
const MIN_CANDIDATES = 500;

/** What a search by filters alone would list. */
export function toEventFilter(choice: EventChoice, context: MemoryContext): EventFilter {
  return {
    type: choice.event_type,
    entityId: choice.entity_id,
    range: toTimeRange(choice.time_range, context),
    ids: choice.event_ids,
  };
}

async function findEventScores(search: EventSearch, filter: EventFilter, context: MemoryContext) {
  const { keywords = [], query } = search;
  const words = [query ?? '', ...keywords].join(' ');
  // Keywords alone find what says them, not what comes close.
  const text =
    query === undefined ? { tokens: toTokens(words), vector: undefined } : await toSearchable(words, context);
  return context.memory.searchEvents({ text, limit: Math.max(MIN_CANDIDATES, 10 * search.limit) }, filter);
}

/** Reads hits, best first, in small parts until there are enough that pass the test for keywords. */
function readBest(
  hits: readonly Hit<number>[],
  { keywords = [], match_mode }: EventSearch,
  { limit, memory }: { readonly limit: number; readonly memory: MemoryReader },
): readonly Required<Found<MemoryEvent>>[] {
  const test = createKeywordTest(keywords, match_mode);
  const best: Required<Found<MemoryEvent>>[] = [];
  for (let from = 0; from < hits.length && best.length < limit; from += limit) {
    const part = hits.slice(from, from + limit);
    const events = new Map(memory.events({ ids: part.map(({ id }) => id) }).map((event) => [event.id, event]));
    for (const { id, score } of part) {
      const item = events.get(id);
      const match = item && (keywords.length === 0 ? { matched: [] } : test(toEventText(item)));
      if (item !== undefined && match !== undefined) best.push({ item, score, matched: match.matched });
    }
  }
  return best.slice(0, limit);
}

/** Events, newest first. With words the best of them: those that say them, and with `query` also what comes close. */
export async function searchEvents(
  search: EventSearch,
  context: MemoryContext,
): Promise<readonly Found<MemoryEvent>[]> {
  const { memory, maxEvents } = context;
  const { keywords = [], query } = search;
  const limit = Math.min(search.limit, maxEvents);
  const filter = toEventFilter(search, context);
  if (query === undefined && keywords.length === 0) return memory.events(filter, limit).map((item) => ({ item }));
  const hits = await findEventScores(search, filter, context);
  const best = readBest(hits, search, { limit, memory });
  return [...best].sort((a, b) => b.item.time - a.item.time || b.item.id - a.item.id);
}

/** Which attributes or entities are searched. */
export interface KeywordSearch {
  readonly keywords: readonly string[];
  readonly match_mode: MatchMode;
  readonly limit: number;
}

function byScore<T>(a: Required<Found<T>>, b: Required<Found<T>>): number {
  return b.score - a.score;
}

/** Attributes that have keywords, then those that come close in meaning; best first. */
export async function searchProfile(
  search: KeywordSearch & { readonly category?: Category | undefined },
  context: MemoryContext,
): Promise<readonly Found<ProfileEntry>[]> {
  const { keywords, match_mode, category, limit } = search;
  const { memory } = context;
  const test = createKeywordTest(keywords, match_mode);
  const text = await toSearchable(keywords.join(' '), context);
  const scores = new Map(
    (await memory.searchProfile({ text, limit: 100 }, category)).map((hit) => [hit.id, hit.score]),
  );
  const found = memory.profile({ category }).flatMap((item): Required<Found<ProfileEntry>>[] => {
    const match = test(toProfileText(item));
    const isClose = match_mode === 'any' && scores.has(item.key);
    if (match === undefined && !isClose) return [];
    // What has the words comes before what is merely close.
    const score = match === undefined ? 0.5 * (scores.get(item.key) ?? 0) : 0.5 + 0.5 * match.share;
    return [{ item, score: round(score, 3), matched: match?.matched ?? [] }];
  });
  return found.sort(byScore).slice(0, limit);
}

/** The words by which an entity is found: name, aliases, type, attributes, tags. */
function toEntityText({ name, aliases, type, attributes, tags }: Entity): string {
  return [name ?? '', ...aliases, type, JSON.stringify(attributes), ...tags].join(' ');
}

/** Entities that have keywords, best first. */
export function searchEntities(
  search: KeywordSearch & { readonly entity_type?: EntityType | undefined; readonly status?: Status | undefined },
  { memory }: MemoryContext,
): readonly Found<Entity>[] {
  const test = createKeywordTest(search.keywords, search.match_mode);
  const found = memory.entities({ type: search.entity_type, status: search.status }).flatMap((item) => {
    const match = test(toEntityText(item));
    return match === undefined ? [] : [{ item, score: match.share, matched: match.matched }];
  });
  return found.sort(byScore).slice(0, search.limit);
}
