import type { JsonObject } from '@contextloom/contracts';

/** What an attribute of the user is about. */
export const categories = ['basic_info', 'preferences', 'habits'] as const;
/** One of {@link categories}. */
export type Category = (typeof categories)[number];

/** What kinds of things are remembered. */
export const entityTypes = ['pet', 'property', 'vehicle', 'person', 'other'] as const;
/** One of {@link entityTypes}. */
export type EntityType = (typeof entityTypes)[number];

/** Whether a thing is still part of the user's life. */
export const statuses = ['active', 'inactive'] as const;
/** One of {@link statuses}. */
export type Status = (typeof statuses)[number];

/** What kinds of things happen. */
export const eventTypes = ['purchase', 'illness', 'maintenance', 'activity', 'milestone', 'other'] as const;
/** One of {@link eventTypes}. */
export type EventType = (typeof eventTypes)[number];

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

/** How a version came about; the version of a deletion has the deleted value. */
export const changeKinds = ['set', 'rollback', 'delete'] as const;
/** One of {@link changeKinds}. */
export type ChangeKind = (typeof changeKinds)[number];

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
