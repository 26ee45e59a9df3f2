import type { Tokens } from '@contextloom/retrieval';
import type { TimeRange } from '@contextloom/retrieval/time';
import type {
  Category,
  Entity,
  EntityType,
  EventType,
  MemoryEvent,
  ProfileEntry,
  ProfileVersion,
  Relation,
  Status,
} from './model.ts';

/** Which events are meant; what is absent does not matter. */
export interface EventFilter {
  readonly type?: EventType | undefined;
  readonly range?: TimeRange | undefined;
  readonly entityId?: number | undefined;
  /** About any of these. */
  readonly entityIds?: readonly number[] | undefined;
  readonly ids?: readonly number[] | undefined;
  /** Only those that are listed after this one. */
  readonly before?: { readonly time: number; readonly id: number } | undefined;
}

/** A part of a list. */
export interface Page {
  readonly limit?: number | undefined;
  /** How many are passed over first. */
  readonly offset?: number | undefined;
}

/** A name or another name of an entity. */
export interface EntityName {
  readonly entityId: number;
  readonly name: string;
}

/** Which entities are meant. */
export interface EntityFilter {
  readonly type?: EntityType | undefined;
  readonly status?: Status | undefined;
  /** Only those that were created after this one. */
  readonly after?: number | undefined;
}

/** Which attributes are meant. */
export interface ProfileFilter {
  readonly keys?: readonly string[] | undefined;
  readonly category?: Category | undefined;
}

/** What one user's memory holds. */
export interface MemoryReader {
  /** By key. */
  profile(filter?: ProfileFilter, page?: Page): readonly ProfileEntry[];
  profileKeys(): readonly string[];
  /** The versions of an attribute, or of all, newest first. */
  history(key?: string): readonly ProfileVersion[];
  /** In the order of their creation. */
  entities(filter?: EntityFilter, page?: Page): readonly Entity[];
  countEntities(filter?: EntityFilter): number;
  /** All names and other names of entities. */
  names(): readonly EntityName[];
  entity(id: number): Entity | undefined;
  /** Relations of an entity, or all, in the order of their creation. */
  relations(entityId?: number, type?: string): readonly Relation[];
  /** Newest first, and of one moment the one stored last. */
  events(filter?: EventFilter, page?: Page): readonly MemoryEvent[];
  /** When each entity last had an event, up to a moment. */
  lastEvents(until: number): ReadonlyMap<number, number>;
}

/** A text as it is found again. */
export interface Searchable {
  readonly tokens: Tokens;
  /** Absent while the embedder is out of reach. */
  readonly vector: Float32Array | undefined;
}

/** What can be changed in one user's memory, all inside one transaction. Ids of another user are as good as unknown. */
export interface MemoryWriter extends MemoryReader {
  putProfile(entry: ProfileEntry, text: Searchable): void;
  deleteProfile(key: string): boolean;
  addVersion(version: Omit<ProfileVersion, 'version'>): void;
  deleteHistory(key: string): void;
  addEntity(entity: Omit<Entity, 'id'>): number;
  /** All of it but its other names. */
  putEntity(entity: Entity): void;
  addAlias(entityId: number, alias: string): void;
  /** Makes what is told of an entity, its events and relations, told of another, and deletes it. */
  absorbEntity(from: number, into: number): void;
  addEvent(event: Omit<MemoryEvent, 'id'>, createdAt: number, text: Searchable): number;
  deleteEvent(id: number): boolean;
  /** Deletes the events that tell how an attribute changed. */
  deleteProfileChanges(key: string): void;
  /** The id of the relation, which is the old one's where the same was there. */
  putRelation(relation: Omit<Relation, 'id'>): number;
  deleteRelation(id: number): boolean;
}

/** What is searched for. */
export interface TextQuery {
  readonly text: Searchable;
  readonly limit: number;
}

/** What a search found: the id of an event, or the key of an attribute, with a score in [0, 1]. */
export interface Hit<Id> {
  readonly id: Id;
  readonly score: number;
}

/** The memory of one user. */
export interface UserMemory extends MemoryReader {
  /**
   * Changes it in one transaction that is on disk when this resolves; what the work throws undoes all of it.
   * @throws ContextloomError `unavailable` or `no_space`
   */
  change<T>(work: (writer: MemoryWriter) => T): Promise<T>;
  /** As `change`, in steps between which others are answered. */
  changeInSteps<T>(work: (writer: MemoryWriter) => Generator<void, T>): Promise<T>;
  /** Best first. */
  searchEvents(query: TextQuery, filter: EventFilter): Promise<readonly Hit<number>[]>;
  searchProfile(query: TextQuery, category: Category | undefined): Promise<readonly Hit<string>[]>;
}

/** Where copies go, and how often there is a new one. */
export interface BackUpPlan {
  readonly folder: string;
  readonly now: Date;
  /** No copy is made of a file whose newest is younger than this. */
  readonly minAgeMs: number;
  /** How many are kept of a file. */
  readonly keep: number;
}

/** Where the memories of all users are. */
export interface MemoryStore {
  /** Works on a user's memory, which stays open meanwhile. */
  use<T>(userId: string, work: (memory: UserMemory) => T | Promise<T>): Promise<T>;
  /** Everybody who has a memory, in order. */
  users(): Promise<readonly string[]>;
  /** Copies the files of which a copy is due into a folder; answers with the copies. */
  backUp(plan: BackUpPlan): Promise<readonly string[]>;
  close(): Promise<void>;
}
