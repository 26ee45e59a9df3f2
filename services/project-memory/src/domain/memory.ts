import type { ArbitrationAction, ContentType } from '@contextloom/contracts/project-memory';

/** The id of a new memory. */
export const toMemoryId = (unique: string): string => `mem_${unique.replaceAll('-', '')}`;

/** A part of a memory's text that is searched on its own. */
export interface Fragment {
  readonly content: string;
  /** Of length 1; absent until the embedder could be used. */
  readonly embedding?: Float32Array | undefined;
}

/** What is stored of a memory's content: all of it derived from the text but the type and the time. */
export interface MemoryContent {
  readonly contentType: ContentType;
  readonly content: string;
  /** Unix seconds. */
  readonly ts: number;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly fragments: readonly Fragment[];
  /** The normalised mean of the fragments' vectors. */
  readonly embedding?: Float32Array | undefined;
  /** When it is forgotten, in epoch milliseconds; in the place of another memory, whose end stays without it. */
  readonly endsAt?: number | null | undefined;
}

/** A memory as it is read. */
export interface Memory {
  readonly id: string;
  readonly contentType: ContentType;
  readonly content: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly ts: number;
  readonly projectKey: string;
  /** When it is forgotten, in epoch milliseconds; absent where it has no end, and from states of the past. */
  readonly endsAt?: number;
}

/** One state of a memory; the highest revision is the present one. */
export interface MemoryVersion {
  readonly revision: number;
  readonly contentType: ContentType;
  readonly content: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly ts: number;
  /** ISO 8601; absent from the present one. */
  readonly replacedAt?: string;
}

/** A verdict on a stored and a new memory. */
export interface Verdict {
  readonly action: ArbitrationAction;
  /** The model that said so; absent when none did. */
  readonly model?: string;
}

/** A verdict as it was logged. */
export interface Arbitration {
  readonly id: number;
  readonly projectKey: string;
  readonly candidateId?: string;
  readonly newId?: string;
  readonly action: ArbitrationAction;
  readonly similarity: number;
  readonly oldSummary: string;
  readonly newSummary: string;
  readonly model?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601; absent while it stands. */
  readonly rolledBackAt?: string;
}

/** A project with what is known of it. */
export interface Project {
  readonly ownerId: string;
  readonly key: string;
  readonly name: string;
  readonly machineName?: string;
  readonly path?: string;
  readonly memoryCount: number;
  /** Unix seconds of the newest memory. */
  readonly latestTs?: number;
}
