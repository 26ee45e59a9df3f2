import type { MemoryKind } from '@contextloom/contracts/aggregator';
import type { TimeRange } from '@contextloom/retrieval/time';
import type { FoundMemory, StoredMemory, WholeMemory } from '../../domain/stores/stored-memory.ts';
import type { Answer, AskStore } from './ask-store.ts';
import { type Followed, readFollowed } from './followed.ts';

/** A question to a store. */
export interface StoreQuery {
  readonly query: string;
  readonly limit: number;
  readonly filter?: Narrowing | undefined;
}

/** Which page of a store's list. */
export interface StorePage {
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
  readonly filter?: ListFilter | undefined;
}

/** What a list or a search is narrowed to. */
export interface Narrowing {
  readonly tag?: string | undefined;
  /** When, in epoch milliseconds: from `from` on, before `to`. A store may answer more than that. */
  readonly range?: TimeRange | undefined;
}

/** What a list is narrowed to, and how it is ordered. */
export interface ListFilter extends Narrowing {
  /** Newest first by the memories' time; without it each store has an order of its own. */
  readonly order?: 'newest' | undefined;
}

/** The ends of a range as a store takes them: ISO 8601, absent where it is open. */
export function toEnds({ from, to }: TimeRange = { from: -Infinity, to: Infinity }): {
  readonly since?: string;
  readonly until?: string;
} {
  return {
    ...(Number.isFinite(from) && { since: new Date(from).toISOString() }),
    ...(Number.isFinite(to) && { until: new Date(to).toISOString() }),
  };
}

/** A page of a store's list. */
export interface StoredPage {
  readonly memories: readonly StoredMemory[];
  /** Asks for the next page; absent on the last. */
  readonly next?: string | undefined;
  /** How many memories the filter leaves, on all pages; absent where the store cannot tell, and may be of a later page. */
  readonly total?: number | undefined;
}

/** One memory; undefined where there is no such memory. */
export type Got = Promise<Answer<WholeMemory | undefined>>;

/** What came of a change: what followed from it in the same store, or `false` where there is no such memory. */
export type Change = Promise<Answer<false | readonly Followed[]>>;

/** One kind of memory of one user: every store is seen through this. */
export interface MemoryStore {
  readonly kind: MemoryKind;
  /** The service that keeps it, as clients see it. */
  readonly service: string;
  readonly recall: (query: StoreQuery) => Promise<Answer<readonly FoundMemory[]>>;
  readonly list: (page: StorePage) => Promise<Answer<StoredPage>>;
  readonly get: (own: string) => Got;
  readonly update: (own: string, text: string) => Change;
  readonly remove: (own: string) => Change;
}

/** What a store is opened for. */
export interface StoreContext {
  readonly ask: AskStore;
  readonly userId: string;
  /** The project that the call names. */
  readonly project?: string | undefined;
}

/** A change of a store that refuses unknown ids with the code `not_found`. */
export async function toChange(answer: Promise<Answer<unknown>>): Change {
  const result = await answer;
  if (result.kind === 'ok') return { kind: 'ok', value: readFollowed(result.value) };
  return result.code === 'not_found' ? { kind: 'ok', value: false } : result;
}

/** Reads one memory from a store that refuses unknown ids with the code `not_found`. */
export async function toGot<T>(answer: Promise<Answer<T>>, convert: (value: T) => WholeMemory | undefined): Got {
  const result = await mapAnswer(answer, convert);
  return result.kind === 'failed' && result.code === 'not_found' ? { kind: 'ok', value: undefined } : result;
}

/** Maps what a store answered. */
export async function mapAnswer<T, O>(answer: Promise<Answer<T>>, convert: (value: T) => O): Promise<Answer<O>> {
  const result = await answer;
  return result.kind === 'ok' ? { kind: 'ok', value: convert(result.value) } : result;
}

/** The number of an offset that a cursor is; the beginning for any other text. */
export function toOffset(cursor: string | undefined): number {
  const offset = Number(cursor ?? 0);
  return Number.isSafeInteger(offset) && offset >= 0 ? offset : 0;
}
