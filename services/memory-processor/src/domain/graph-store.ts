import type { AddedGraph, RemovedImport } from '@contextloom/contracts';

/** An entity of another program's graph. */
export interface GraphEntity {
  readonly name: string;
  /** That program's word for what it is. */
  readonly kind?: string | undefined;
  readonly observations: readonly string[];
}

/** A relation of another program's graph; its ends are named. */
export interface GraphRelation {
  readonly from: string;
  readonly to: string;
  readonly relation_type: string;
}

/** A part of a graph. */
export interface GraphBatch {
  readonly entities: readonly GraphEntity[];
  readonly relations: readonly GraphRelation[];
}

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
