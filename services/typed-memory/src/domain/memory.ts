import type { Trust } from '@contextloom/contracts';
import type { MemoryType } from '@contextloom/contracts/typed-memory';

/** What makes a memory of its type useful; a type has the fields that its name suggests. */
export interface MemoryDetails {
  /** Resource: what it is called. */
  readonly title?: string;
  /** Resource: `link`, `file`, `image`, `code`, `document` or `text`. */
  readonly kind?: string;
  /** Resource: where it is, an address or a path. */
  readonly location?: string;
  /** Semantic: what is explained, and how. */
  readonly concept?: string;
  readonly definition?: string;
  /** Procedural: what to do, in order. */
  readonly steps?: readonly string[];
}

/** A memory to be stored. Of a vault item `content` is the label, and the secret is in `sealed` alone. */
export interface MemoryDraft {
  readonly type: MemoryType;
  readonly content: string;
  readonly context?: string | undefined;
  /** 1 to 10. */
  readonly importance: number;
  /** When it happened, ISO 8601 UTC. */
  readonly occurredAt?: string | undefined;
  /** Of a core fact that has one value at a time, such as `name`: the next value takes the place of this one. */
  readonly key?: string | undefined;
  /** The id of a vault item, which its ciphertext is bound to. */
  readonly id?: string | undefined;
  readonly sealed?: string | undefined;
  /** Who said it; the user when absent. */
  readonly trust?: Trust | undefined;
  /** What it was drawn from; absent of what stands by itself. */
  readonly derivedFrom?: readonly string[] | undefined;
  /** When it is forgotten, ISO 8601; never when absent. */
  readonly expiresAt?: string | undefined;
  readonly details: MemoryDetails;
}

/** A value that another one took the place of. */
export interface PreviousValue {
  readonly content: string;
  /** Until when it stood, ISO 8601 UTC. */
  readonly until: string;
}

/** A memory as a store has it. */
export interface StoredMemory extends Omit<MemoryDraft, 'id' | 'importance' | 'details'> {
  readonly id: string;
  readonly importance?: number | undefined;
  /** ISO 8601 UTC; search results do not tell it. */
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  /** What the fact said before, newest first. */
  readonly previous?: readonly PreviousValue[] | undefined;
  /** Whether `content` is a passage of a longer text. */
  readonly isPassage?: boolean;
  readonly details?: MemoryDetails;
}

/** A memory that a search found, with a score from 0 to 1, and how much of the question it answers: the same in every store. */
export interface FoundMemory extends StoredMemory {
  readonly score?: number | undefined;
  readonly relevance?: number | undefined;
}
