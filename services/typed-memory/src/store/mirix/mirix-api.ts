import type { MemoryType } from '@contextloom/contracts/typed-memory';
import type { MemoryDraft } from '../../domain/memory.ts';
import type { AddOutcome, BackendMessage } from '../../domain/typed-memory-store.ts';
import type { MirixItem } from './items.ts';

/** The generations of MIRIX: the server of today, and the backend of the older desktop application. */
export const mirixGenerations = ['server', 'desktop'] as const;
/** One of {@link mirixGenerations}. */
export type MirixGeneration = (typeof mirixGenerations)[number];

/** What MIRIX has of one type: how many, and those that it listed. */
export interface MirixList {
  readonly total: number;
  readonly items: readonly MirixItem[];
}

/** What MIRIX has, by type. */
export type MirixLists = Readonly<Partial<Record<MemoryType, MirixList>>>;

/** What a search can choose from: items, and their keys as the server ranked them, best first. */
export interface MirixCandidates {
  readonly items: readonly MirixItem[];
  readonly rankings: readonly (readonly string[])[];
}

/** What both generations can do, each in its own way; every answer is made sure to be of the user that it is for. */
export interface MirixApi {
  readonly add: (userId: string, draft: MemoryDraft, signal?: AbortSignal) => Promise<AddOutcome>;
  readonly find: (userId: string, query: string, limit: number, signal?: AbortSignal) => Promise<MirixCandidates>;
  readonly list: (
    userId: string,
    types: readonly MemoryType[],
    limit: number,
    signal?: AbortSignal,
  ) => Promise<MirixLists>;
  readonly check: (userId?: string, signal?: AbortSignal) => Promise<void>;
  /** Where it has an agent that answers. */
  readonly answer?: (userId: string, message: BackendMessage, signal: AbortSignal) => Promise<string>;
}
