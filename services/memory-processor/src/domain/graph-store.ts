import type { AddedGraph, GraphPart, RemovedImport } from '@contextloom/contracts';

/** A part of a graph. */
export type GraphBatch = Omit<GraphPart, 'import_id'>;

/** What became of a batch: it was added, or the store takes none of this user, and why. */
export type GraphAnswer = AddedGraph | { readonly refused: string };

/** Where entities and their relations are kept. All methods reject with `ContextloomError`, in words of ours. */
export interface GraphStore {
  /** Adds a batch, all or nothing; what is there already is not added again. */
  readonly add: (userId: string, importId: string, batch: GraphBatch) => Promise<GraphAnswer>;
  /** Takes back what an import added, but for what others have or build on. */
  readonly remove: (userId: string, importId: string) => Promise<RemovedImport>;
  readonly close: () => Promise<void>;
}
