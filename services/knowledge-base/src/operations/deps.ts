import type { OperationContext } from '@contextloom/mcp-kit';
import type { KnowledgeBase } from '../domain/knowledge-base.ts';

/** What the operations need: a knowledge base, here or behind HTTP. */
export interface KnowledgeBaseDeps {
  readonly knowledgeBase: KnowledgeBase;
}

/** What a call of an operation brings. */
export type KnowledgeBaseContext = OperationContext<KnowledgeBaseDeps>;
