import type { Operation } from '@contextloom/mcp-kit';
import { buildPromptWithContext } from './build-prompt-with-context.ts';
import type { ChatDeps } from './chat/deps.ts';
import { forget } from './chat/forget.ts';
import { listMemories } from './chat/list-memories.ts';
import { recall } from './chat/recall.ts';
import { remember } from './chat/remember.ts';
import { updateMemory } from './chat/update-memory.ts';
import type { OperationDeps } from './deps.ts';
import { explainPrompt } from './explain-prompt.ts';
import { extractMemories } from './extract-memories.ts';
import { forgetUser } from './forget-user.ts';
import { getServiceStatus } from './get-service-status.ts';
import { getUserMemories } from './get-user-memories.ts';
import { listDecisions } from './list-decisions.ts';
import { listFacts } from './list-facts.ts';
import { storeConversationMemory } from './store-conversation-memory.ts';
import { undoDecision } from './undo-decision.ts';

/** The aggregator's operations, in the order that clients see. */
export const operations: readonly Operation<OperationDeps>[] = [
  buildPromptWithContext,
  explainPrompt,
  storeConversationMemory,
  extractMemories,
  getUserMemories,
  listFacts,
  listDecisions,
  undoDecision,
  forgetUser,
  getServiceStatus,
];

/** The operations of the profile `chat`, in the order that clients see. */
export const chatOperations: readonly Operation<ChatDeps>[] = [remember, recall, updateMemory, forget, listMemories];
