import type { OperationContext } from '@contextloom/server-kit';
import type { KnowledgeBase } from '../domain/knowledge-base.ts';

/** What the operations need: a knowledge base, here or behind HTTP. */
export interface KnowledgeBaseDeps {
  readonly knowledgeBase: KnowledgeBase;
  /** Why callers that reach some users alone are refused, where the documents are not kept apart. */
  readonly openToAll?: string | undefined;
}

/** What a call of an operation brings. */
export type KnowledgeBaseContext = OperationContext<KnowledgeBaseDeps>;
