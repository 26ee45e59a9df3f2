import type { KnowledgeBase } from '../domain/knowledge-base.ts';

/** What the tools need: a knowledge base, here or behind HTTP. */
export interface KnowledgeBaseDeps {
  readonly knowledgeBase: KnowledgeBase;
}
