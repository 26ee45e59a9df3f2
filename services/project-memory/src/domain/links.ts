import type { ContentType, Relation } from '@contextloom/contracts/project-memory';
import type { Reach } from './project.ts';

/** A link as a caller draws it, between memories of one owner; of one project or of two. */
export interface Link {
  readonly fromId: string;
  readonly toId: string;
  readonly relation: Relation;
}

/** Which links are to go. */
export interface LinkPattern {
  readonly fromId: string;
  readonly toId: string;
  /** All without it. */
  readonly relation?: Relation | undefined;
}

/** A memory that has to do with another one: by a link, or by being near to it. */
export interface Related {
  /** The memory in question. */
  readonly ofId: string;
  readonly id: string;
  readonly relation: Relation | 'similar';
  /** `outgoing`: the link begins at the memory in question. */
  readonly direction: 'outgoing' | 'incoming' | 'none';
  readonly contentType: ContentType;
  readonly summary: string;
}

/** Where links are kept. Every method sees links between memories of one reach alone. */
export interface LinkStore {
  /** `missing`: one of the two memories is not there. */
  readonly link: (reach: Reach, link: Link) => Promise<'created' | 'exists' | 'missing'>;
  /** How many links there were to remove. */
  readonly unlink: (reach: Reach, pattern: LinkPattern) => Promise<number>;
  /** What is linked with memories, in the order in which the links were drawn. */
  readonly linked: (reach: Reach, ids: readonly string[]) => Promise<readonly Related[]>;
  /** The nearest of the same project by memory vector, at most `limit` for each memory, from a cosine on. */
  readonly similar: (reach: Reach, ids: readonly string[], least: number, limit: number) => Promise<readonly Related[]>;
}
