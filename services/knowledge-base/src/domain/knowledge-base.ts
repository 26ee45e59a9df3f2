import type {
  FoundDocuments,
  KnowledgeBase as KnowledgeBaseFace,
  ListRequest,
  ListResponse,
  SearchRequest,
} from '@contextloom/contracts';
import type { ScopedFilter } from './documents/scope.ts';

export type { DocumentAddress } from '@contextloom/contracts';

/** Whether documents are kept apart by user: `off` gives every call every document. */
export type Isolation = 'strict' | 'off';

/**
 * The knowledge base as its operations see it. They give the filter of a request along as they translated it; a knowledge base
 * translates it itself for a caller that does not, and one behind HTTP leaves it to the service there.
 */
export interface KnowledgeBase extends KnowledgeBaseFace {
  find(request: SearchRequest, filter?: ScopedFilter): Promise<FoundDocuments>;
  list(request: ListRequest, filter?: ScopedFilter): Promise<Omit<ListResponse, 'success'>>;
}
