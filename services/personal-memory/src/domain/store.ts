import type { ErasedCount, Forgotten } from '@contextloom/contracts';
import type { Category, EntityType, EventType, Status } from '@contextloom/contracts/personal-memory';
import type { Tokens } from '@contextloom/retrieval';
import type { SearchQuery } from '@contextloom/retrieval/ranking';
import type { TimeRange } from '@contextloom/retrieval/time';
import type { Entity, MemoryEvent, ProfileEntry, ProfileVersion, Relation } from './model.ts';

/** Selects events; an absent field excludes nothing. */
export interface EventFilter {
  readonly type?: EventType | undefined;
  readonly range?: TimeRange | undefined;
  readonly entityId?: number | undefined;
  /** About any of these. */
  readonly entityIds?: readonly number[] | undefined;
  readonly ids?: readonly number[] | undefined;
  /** Only events that are listed after this one. */
  readonly before?: { readonly time: number; readonly id: number } | undefined;
  readonly tag?: string | undefined;
  /** Only events that have not this tag. */
  readonly withoutTag?: string | undefined;
}

/** Which rows that change a list shows, and which come first; without `order` it is the order of the list. */
export interface ChangeFilter {
  /** When they were last changed. */
  readonly range?: TimeRange | undefined;
  readonly tag?: string | undefined;
  /** Last changed first. */
  readonly order?: 'updated' | undefined;
}

/** A page of a list. */
export interface Page {
  readonly limit?: number | undefined;
  /** How many items to skip. */
  readonly offset?: number | undefined;
}

/** A name or an alias of an entity. */
export interface EntityName {
  readonly entityId: number;
  readonly name: string;
}

/** Selects entities. */
export interface EntityFilter extends ChangeFilter {
  readonly type?: EntityType | undefined;
  readonly status?: Status | undefined;
  /** Only entities that were created after this one. */
  readonly after?: number | undefined;
}

/** Selects attributes. */
export interface ProfileFilter extends ChangeFilter {
  readonly keys?: readonly string[] | undefined;
  readonly category?: Category | undefined;
}

/** What one user's memory holds. */
export interface MemoryReader {
  /** By key, unless the filter says otherwise. */
  profile(filter?: ProfileFilter, page?: Page): Promise<readonly ProfileEntry[]>;
  countProfile(filter?: ProfileFilter): Promise<number>;
  profileKeys(): Promise<readonly string[]>;
  /** The versions of an attribute, or of all, newest first. */
  history(key?: string): Promise<readonly ProfileVersion[]>;
  /** In the order of their creation, unless the filter says otherwise. */
  entities(filter?: EntityFilter, page?: Page): Promise<readonly Entity[]>;
  countEntities(filter?: EntityFilter): Promise<number>;
  /** All names and aliases of entities. */
  names(): Promise<readonly EntityName[]>;
  entity(id: number): Promise<Entity | undefined>;
  /** Relations of an entity, or all, in the order of their creation. */
  relations(entityId?: number, type?: string): Promise<readonly Relation[]>;
  relation(id: number): Promise<Relation | undefined>;
  /** Newest first, and of one moment the one stored last. */
  events(filter?: EventFilter, page?: Page): Promise<readonly MemoryEvent[]>;
  countEvents(filter?: EventFilter): Promise<number>;
  /** When each entity last had an event, up to a moment. */
  lastEvents(until: number): Promise<ReadonlyMap<number, number>>;
  /** What all imports have claimed. */
  allClaims(): Promise<readonly ImportClaim[]>;
  /** The imports that have claimed it. */
  importsOf(claim: Claim): Promise<readonly string[]>;
  /** What was drawn from a memory, here or in another store: addresses such as `fact:city`, `event:3` and `entity:1`. */
  drawnFrom(source: string): Promise<readonly string[]>;
  /** What each of these was drawn from, as far as it was. */
  allSources(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** What an attribute, an event, an entity or a relation was drawn from. */
  sourcesOf(derived: string): Promise<readonly string[]>;
  /** When attributes, events and entities are forgotten, of those that are, by their addresses. */
  ends(): Promise<ReadonlyMap<string, number>>;
  /** When one is forgotten, in epoch milliseconds; undefined where it has no end. */
  endOf(address: string): Promise<number | undefined>;
  /** Those whose time has come. */
  ended(now: number): Promise<readonly End[]>;
  hasEnded(now: number): Promise<boolean>;
}

/** When what an address names is forgotten. */
export interface End {
  readonly address: string;
  readonly at: number;
}

/** A text as the index stores it. */
export interface Searchable {
  readonly tokens: Tokens;
  /** Absent while the embedder is out of reach. */
  readonly vector: Float32Array | undefined;
}

/** Something that an import added, or that it shares with another import. */
export interface Claim {
  readonly kind: 'entity' | 'observation' | 'relation';
  /** The entity; of a relation the first. */
  readonly entityId: number;
  /** The words of an observation, the number of a relation; empty of an entity. */
  readonly value: string;
}

/** A claim, and the import that has it. */
export interface ImportClaim extends Claim {
  readonly importId: string;
}

/** Changes one user's memory, inside one transaction. Ids of other users count as unknown. */
export interface MemoryWriter extends MemoryReader {
  putProfile(entry: ProfileEntry, text: Searchable): Promise<void>;
  deleteProfile(key: string): Promise<boolean>;
  addVersion(version: Omit<ProfileVersion, 'version'>): Promise<void>;
  /** All versions of an attribute, or those with a value. */
  deleteHistory(key: string, value?: string): Promise<void>;
  /** With the id that it had elsewhere, if that is free. */
  addEntity(entity: Omit<Entity, 'id'>, id?: number): Promise<number>;
  /** Writes everything but its aliases. */
  putEntity(entity: Entity): Promise<void>;
  addAlias(entityId: number, alias: string): Promise<void>;
  /** Moves the events and relations of an entity to another, and deletes it. */
  absorbEntity(from: number, into: number): Promise<void>;
  /** Takes an entity out of what events are about. */
  unlinkEntity(id: number): Promise<void>;
  /** Deletes an entity with its other names; nothing may be about it. */
  deleteEntity(id: number): Promise<void>;
  /** With the id that it had elsewhere, if it brings one and that is free. */
  addEvent(
    event: Omit<MemoryEvent, 'id'> & { readonly id?: number | undefined },
    createdAt: number,
    text: Searchable,
  ): Promise<number>;
  /** Writes everything but its parent. */
  putEvent(event: MemoryEvent, text: Searchable): Promise<void>;
  deleteEvent(id: number): Promise<boolean>;
  /** Deletes the events that record changes of an attribute. */
  deleteProfileChanges(key: string): Promise<void>;
  /** Returns the id of the relation; an existing one keeps its id. */
  putRelation(relation: Omit<Relation, 'id'>): Promise<number>;
  deleteRelation(id: number): Promise<boolean>;
  /** What an import has claimed. */
  claims(importId: string): Promise<readonly Claim[]>;
  addClaim(importId: string, claim: Claim): Promise<void>;
  dropClaims(importId: string): Promise<void>;
  /** Says what one of these was drawn from, in place of what was said before. */
  putSources(derived: string, sources: readonly string[]): Promise<void>;
  /** Says when something is forgotten, in place of what was said before; never without it. */
  putEnd(address: string, at: number | undefined): Promise<void>;
  /** Says that something was erased since its time had come. */
  addReceipt(end: End, now: number): Promise<void>;
}

/** A search of texts. */
export interface TextQuery {
  readonly text: Searchable;
  /** Given for a question: what fits it is found, by its relevance, from `minScore` on. Keywords find what has them. */
  readonly question?: (SearchQuery & { readonly minScore?: number | undefined }) | undefined;
  readonly limit: number;
}

/** What a search found: the id of an event, or the key of an attribute, with a score in [0, 1]. */
export interface Hit<Id> {
  readonly id: Id;
  readonly score: number;
}

/** What a search found, best first, and how near the best of all was, whether it fits or not; 0 for keywords. */
export interface Found<Id> {
  readonly hits: readonly Hit<Id>[];
  readonly nearest: number;
}

/** The memory of one user. */
export interface UserMemory extends MemoryReader {
  /**
   * Changes it in one transaction, on disk when this resolves; an error in the work rolls it back. Changes of one user come one after
   * the other, so what the work reads stays true until it ends: it awaits its own statements, one at a time, and nothing else.
   * @throws ContextloomError `unavailable` or `no_space`
   */
  change<T>(work: (writer: MemoryWriter) => Promise<T>): Promise<T>;
  /** Best first. */
  searchEvents(query: TextQuery, filter: EventFilter): Promise<Found<number>>;
  searchProfile(query: TextQuery, category: Category | undefined): Promise<readonly Hit<string>[]>;
}

/** Where copies go, and how often to make one. */
export interface BackUpPlan {
  readonly folder: string;
  readonly now: Date;
  /** A file is not copied while its newest copy is younger than this. */
  readonly minAgeMs: number;
  /** How many copies of a file are kept. */
  readonly keep: number;
}

/** The memories of all users. */
export interface MemoryStore {
  /** Works on a user's memory, which stays open meanwhile. */
  use<T>(userId: string, work: (memory: UserMemory) => T | Promise<T>): Promise<T>;
  /** Every user who has a memory, sorted. */
  users(): Promise<readonly string[]>;
  /** The users who have something whose time has come. */
  endedUsers(now: number): Promise<readonly string[]>;
  /** Counts what there is of a user by kind, without backups. */
  count(userId: string): Promise<readonly ErasedCount[]>;
  /** How large the files are, in bytes, without backups; undefined where it has none. */
  sizeOf(): number | undefined;
  /** Makes the vectors of texts that were stored while the embedder was out of reach, as far as it can; answers how many. */
  embedWaiting(): Promise<number>;
  /** How many texts of all users have no vector yet. */
  countWaiting(): Promise<number>;
  /** Copies the files that are due into a folder; returns the copies. */
  backUp(plan: BackUpPlan): Promise<readonly string[]>;
  /**
   * Counts what there is of a user, backups included, and erases it unless it is a dry run: no byte of it is left in the files.
   * @throws ContextloomError `unavailable` or `no_space`; called again, it goes on
   */
  forget(userId: string, isDryRun: boolean): Promise<Forgotten>;
  /** Erases the bytes of what was deleted for good, where it has files; answers whether there was any. Backups keep what they have. */
  readonly eraseDeleted?: () => Promise<boolean>;
  close(): Promise<void>;
}
