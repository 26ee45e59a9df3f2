import { buildPromptWithContext } from './build-prompt-with-context.ts';
import { explainPrompt } from './explain-prompt.ts';
import { extractMemories } from './extract-memories.ts';
import { getServiceStatus } from './get-service-status.ts';
import { getUserMemories } from './get-user-memories.ts';
import { listDecisions } from './list-decisions.ts';
import { listFacts } from './list-facts.ts';
import { storeConversationMemory } from './store-conversation-memory.ts';
import { undoDecision } from './undo-decision.ts';

/** The aggregator's tools. */
export const tools = [
  buildPromptWithContext,
  explainPrompt,
  storeConversationMemory,
  extractMemories,
  getUserMemories,
  listFacts,
  listDecisions,
  undoDecision,
  getServiceStatus,
];
