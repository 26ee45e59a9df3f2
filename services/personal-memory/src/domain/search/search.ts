import {
  type Category,
  type EntityType,
  type MatchMode,
  type Status,
  usualLimits,
} from '@contextloom/contracts/personal-memory';
import { readSearchQuery } from '@contextloom/retrieval/ranking';
import { createTimeSlices, mapInSlices } from '@contextloom/runtime/scheduling';
import { type MemoryContext, toSearchable, toTokens } from '../context.ts';
import { toEventLimit, toEventText } from '../events/events.ts';
import { CHANGED_TAG, type Entity, type MemoryEvent, type ProfileEntry } from '../model.ts';
import { type Listed, type PageRequest, readEntityPages, readListed, toListed } from '../pages.ts';
import { createKeywordTest, createSays, type MatchKeywords, toPhrase } from '../phrases.ts';
import { toProfileText } from '../profile/profile-keys.ts';
import type { EventFilter, Hit, MemoryReader } from '../store.ts';
import { toTimeRange } from '../times.ts';

/** The entities that the words of a search name. */
interface NamedEntities {
  readonly ids: readonly number[];
  /** The names of some entities, to be searched like words of their own. */
  readonly namesOf: (entityIds: readonly number[]) => readonly string[];
}

/** The words of a search. */
interface NameSearch {
  readonly query: string | undefined;
  /** Tests a text for keywords; undefined without keywords. */
  readonly keywords: MatchKeywords | undefined;
}

/** Finds the entities that a query says by name, and those whose names have a keyword; former names count. */
async function findNamedEntities({ query, keywords }: NameSearch, memory: MemoryReader): Promise<NamedEntities> {
  const names = await memory.names();
  const says = createSays(query ?? '');
  const named = await mapInSlices(names, ({ entityId, name }) => {
    const isNamed = says(toPhrase(name)) || keywords?.(name) !== undefined;
    return isNamed ? [entityId] : [];
  });
  const namesById = new Map<number, string[]>();
  for (const { entityId, name } of names) namesById.set(entityId, [...(namesById.get(entityId) ?? []), name]);
  return {
    ids: [...new Set(named.flat())],
    namesOf: (entityIds) => entityIds.flatMap((id) => namesById.get(id) ?? []),
  };
}

/** How well an item fits the words; empty for a search without words. */
export interface Fit {
  /** In [0, 1]. */
  readonly score?: number;
  readonly matched?: readonly string[];
}

/** A hit of a search. */
export interface SearchHit<T> extends Fit {
  readonly item: T;
}

/** Selects events, in the words of a caller. */
export interface EventChoice {
  readonly event_type?: MemoryEvent['type'] | undefined;
  readonly entity_id?: number | undefined;
  readonly time_range?: string | undefined;
  readonly event_ids?: readonly number[] | undefined;
  readonly tag?: string | undefined;
}

/** A search of events. */
export interface EventSearch extends EventChoice {
  readonly keywords?: readonly string[] | undefined;
  readonly match_mode: MatchMode;
  readonly query?: string | undefined;
  /** What is less relevant is cut; nothing is when absent. */
  readonly min_score?: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** More candidates than are listed, since not every one has all the words of a keyword. */
const MIN_CANDIDATES = 500;
/** The score of an event about an entity that the words name: the weight of an attribute in `resolve.ts`. */
const ABOUT_SCORE = 0.5;
/** How many hits are read at once. */
const PART = 50;

/** The filter of a search, without its words. */
export function toEventFilter(choice: EventChoice, context: MemoryContext): EventFilter {
  return {
    type: choice.event_type,
    entityId: choice.entity_id,
    range: toTimeRange(choice.time_range, context),
    ids: choice.event_ids,
    tag: choice.tag,
    // Who names one, or asks for these, gets them.
    withoutTag: choice.tag === CHANGED_TAG || choice.event_ids !== undefined ? undefined : CHANGED_TAG,
  };
}

/** The hits of a search, and the entities that its words name. */
interface Candidates {
  /** Best first. */
  readonly hits: readonly Hit<number>[];
  /** How near the best event was, whether it fits or not. */
  readonly nearest: number;
  readonly named: NamedEntities;
}

/**
 * Events by their words, and those about entities that the words name, whatever else they say. What is about such an entity
 * and has other words of the query comes first.
 */
async function findCandidates(
  search: EventSearch,
  { filter, wanted }: { readonly filter: EventFilter; readonly wanted: number },
  context: MemoryContext,
): Promise<Candidates> {
  const { memory } = context;
  const { keywords = [], query, match_mode, min_score: minScore = 0 } = search;
  const words = [query ?? '', ...keywords].join(' ');
  // Keywords alone find what says them, not what comes close.
  const text =
    query === undefined ? { tokens: toTokens(words), vector: undefined } : await toSearchable(words, context, 'query');
  const ofKeywords = keywords.length === 0 ? undefined : createKeywordTest(keywords, 'any');
  const named = await findNamedEntities({ query, keywords: ofKeywords }, memory);
  const limit = Math.max(MIN_CANDIDATES, (match_mode === 'all' ? 10 : 1) * 10 * wanted);
  const question = query === undefined ? undefined : { ...readSearchQuery(words), minScore };
  const { hits: fitting, nearest } = await memory.searchEvents({ text, question, limit }, filter);
  const scores = new Map(fitting.map(({ id, score }) => [id, score]));
  if (named.ids.length > 0) {
    const about = { ...filter, entityIds: named.ids };
    for (const { id } of await memory.events(about, { limit: wanted })) scores.set(id, ABOUT_SCORE);
    for (const { id, score } of (await memory.searchEvents({ text, question, limit }, about)).hits) {
      scores.set(id, ABOUT_SCORE + (1 - ABOUT_SCORE) * score);
    }
  }
  const hits = [...scores].flatMap(([id, score]) => (score < minScore ? [] : [{ id, score }]));
  return { hits: hits.sort((a, b) => b.score - a.score || b.id - a.id), nearest, named };
}

/** Reads hits, best first, in small parts until there are enough that pass the test for keywords. */
async function readBest(
  { hits, named }: Candidates,
  { keywords = [], match_mode }: EventSearch,
  { wanted, memory }: { readonly wanted: number; readonly memory: MemoryReader },
): Promise<readonly Required<SearchHit<MemoryEvent>>[]> {
  const run = createTimeSlices();
  const test = createKeywordTest(keywords, match_mode);
  const toText = (event: MemoryEvent) => [toEventText(event), ...named.namesOf(event.entityIds)].join('\n');
  const best: Required<SearchHit<MemoryEvent>>[] = [];
  for (let from = 0; from < hits.length && best.length < wanted; from += PART) {
    const part = hits.slice(from, from + PART);
    const events = await run(
      async () => new Map((await memory.events({ ids: part.map(({ id }) => id) })).map((event) => [event.id, event])),
    );
    for (const { id, score } of part) {
      const item = events.get(id);
      const match = item && (keywords.length === 0 ? { matched: [] } : await run(() => test(toText(item))));
      if (item !== undefined && match !== undefined) best.push({ item, score, matched: match.matched });
    }
  }
  return best.slice(0, wanted);
}

/** A page of events. */
export interface FoundEvents extends Listed<SearchHit<MemoryEvent>> {
  /** Where nothing fits a query: how near the best event was, in [0, 1]. */
  readonly nearest?: number;
}

/**
 * Events, newest first. With `query` those that say its words, are about what it names or come close, best first; with
 * keywords alone the best of them, newest first.
 * @throws ContextloomError `invalid` for a limit that is too high or a range that cannot be read
 */
export async function searchEvents(search: EventSearch, context: MemoryContext): Promise<FoundEvents> {
  const { memory } = context;
  const { keywords = [], query, offset } = search;
  const limit = toEventLimit(search.limit, usualLimits.search, context);
  const filter = toEventFilter(search, context);
  if (query === undefined && keywords.length === 0) {
    const read = async (page: PageRequest) => (await memory.events(filter, page)).map((item) => ({ item }));
    return readListed(read, () => memory.countEvents(filter), { limit, offset });
  }
  const wanted = offset + limit + 1;
  const candidates = await findCandidates(search, { filter, wanted }, context);
  const best = await readBest(candidates, search, { wanted, memory });
  const { items, next } = toListed(best.slice(offset), { limit, offset });
  if (query !== undefined) return best.length === 0 ? { items, next, nearest: candidates.nearest } : { items, next };
  return { items: [...items].sort((a, b) => b.item.time - a.item.time || b.item.id - a.item.id), next };
}

/** A search of attributes or entities. */
export interface KeywordSearch {
  readonly keywords: readonly string[];
  readonly match_mode: MatchMode;
  readonly limit: number;
}

function byScore<T>(a: Required<SearchHit<T>>, b: Required<SearchHit<T>>): number {
  return b.score - a.score;
}

/** Attributes that have keywords, best first. */
export async function searchProfile(
  search: KeywordSearch & { readonly category?: Category | undefined },
  { memory }: MemoryContext,
): Promise<readonly SearchHit<ProfileEntry>[]> {
  const { keywords, match_mode, category, limit } = search;
  const test = createKeywordTest(keywords, match_mode);
  const hits = await mapInSlices(await memory.profile({ category }), (item): Required<SearchHit<ProfileEntry>>[] => {
    const match = test(toProfileText(item));
    return match === undefined ? [] : [{ item, score: match.share, matched: match.matched }];
  });
  return hits.flat().sort(byScore).slice(0, limit);
}

/** The words by which an entity is found: name, aliases, type, attributes, tags. */
function toEntityText({ name, aliases, type, attributes, tags }: Entity): string {
  return [name ?? '', ...aliases, type, JSON.stringify(attributes), ...tags].join(' ');
}

/** Entities that have keywords, best first. */
export async function searchEntities(
  search: KeywordSearch & { readonly entity_type?: EntityType | undefined; readonly status?: Status | undefined },
  { memory }: MemoryContext,
): Promise<readonly SearchHit<Entity>[]> {
  const test = createKeywordTest(search.keywords, search.match_mode);
  const hits: Required<SearchHit<Entity>>[] = [];
  for await (const page of readEntityPages(memory, { type: search.entity_type, status: search.status })) {
    const matches = await mapInSlices(page, (item) => ({ item, match: test(toEntityText(item)) }));
    for (const { item, match } of matches) {
      if (match !== undefined) hits.push({ item, score: match.share, matched: match.matched });
    }
  }
  return hits.sort(byScore).slice(0, search.limit);
}
