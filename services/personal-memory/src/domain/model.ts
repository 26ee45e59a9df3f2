import type { JsonObject } from '@contextloom/contracts';
import type { Category, ChangeKind, EntityType, EventType, Status } from '@contextloom/contracts/personal-memory';

/** An attribute of the user; times are epoch milliseconds, here and in all that follows. */
export interface ProfileEntry {
  readonly key: string;
  readonly value: string;
  readonly category: Category | null;
  readonly tags: readonly string[];
  /** In [0, 1], as stored. */
  readonly confidence: number;
  readonly updatedAt: number;
}

/** A version of an attribute. */
export interface ProfileVersion extends Omit<ProfileEntry, 'updatedAt'> {
  readonly version: number;
  readonly change: ChangeKind;
  readonly changedAt: number;
}

/** A thing that events can be about, such as a pet or a home. */
export interface Entity {
  readonly id: number;
  readonly type: EntityType;
  readonly name: string | null;
  /** Other names. */
  readonly aliases: readonly string[];
  readonly attributes: JsonObject;
  readonly tags: readonly string[];
  readonly status: Status;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Something that happened. */
export interface MemoryEvent {
  readonly id: number;
  readonly type: EventType;
  readonly description: string;
  readonly entityIds: readonly number[];
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
  readonly time: number;
  readonly importance: number;
  readonly parentId: number | null;
}

/** What two entities are to each other. */
export interface Relation {
  readonly id: number;
  readonly entityIds: readonly [number, number];
  readonly type: string;
  readonly metadata: JsonObject;
  readonly createdAt: number;
}

/** The tag of an event or an entity, and the metadata key of a relation, whose source says something else now: searches leave it out. */
export const CHANGED_TAG = 'source-changed';
