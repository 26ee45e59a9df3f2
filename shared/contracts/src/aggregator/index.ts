import { z } from 'zod';
import {
  exportEverywherePageSchema,
  exportUserSchema,
  importEverywhereSchema,
  importReportSchema,
  listAllUsersAnswerSchema,
} from '../archive.ts';
import {
  listDecisionsRequestSchema,
  listDecisionsResponseSchema,
  undoDecisionRequestSchema,
  undoDecisionResponseSchema,
} from '../decisions.ts';
import { forgetEverywhereAnswerSchema, forgetUserSchema } from '../forgetting.ts';
import { jobOperations } from '../jobs.ts';
import {
  extractMemoriesRequestSchema,
  extractMemoriesResponseSchema,
  getUserMemoriesRequestSchema,
  getUserMemoriesResponseSchema,
  listFactsRequestSchema,
  listFactsResponseSchema,
  processTranscriptRequestSchema,
  storeConversationResponseSchema,
} from '../memories.ts';
import {
  buildPromptRequestSchema,
  buildPromptResponseSchema,
  explainPromptRequestSchema,
  explainPromptResponseSchema,
  serviceStatusSchema,
} from '../prompts.ts';
import { accessOperations } from './access.ts';
import { chatOperations } from './chat.ts';

export { connectorOperations, type FiledKind, filedKinds, type MemoryKind, memoryKinds } from './chat.ts';

/** What the operations of the aggregator take and answer. */
export const aggregator = {
  build_prompt_with_context: { input: buildPromptRequestSchema, output: buildPromptResponseSchema },
  explain_prompt: { input: explainPromptRequestSchema, output: explainPromptResponseSchema },
  export_user: { input: exportUserSchema, output: exportEverywherePageSchema },
  extract_memories: { input: extractMemoriesRequestSchema, output: extractMemoriesResponseSchema },
  forget_user: { input: forgetUserSchema, output: forgetEverywhereAnswerSchema },
  get_service_status: { input: z.object({}), output: serviceStatusSchema },
  get_user_memories: { input: getUserMemoriesRequestSchema, output: getUserMemoriesResponseSchema },
  import_user: { input: importEverywhereSchema, output: importReportSchema },
  list_decisions: { input: listDecisionsRequestSchema, output: listDecisionsResponseSchema },
  list_facts: { input: listFactsRequestSchema, output: listFactsResponseSchema },
  list_users: { input: z.object({}), output: listAllUsersAnswerSchema },
  restart_server: {
    input: z.object({ server: z.string().min(1).max(256).describe('Its name in the composition.') }),
    output: z.object({
      server: z.string(),
      status: z.enum(['running', 'unavailable']),
      reason: z.string().optional(),
      tools: z.int().optional(),
    }),
  },
  store_conversation_memory: { input: processTranscriptRequestSchema, output: storeConversationResponseSchema },
  undo_decision: { input: undoDecisionRequestSchema, output: undoDecisionResponseSchema },
  ...jobOperations,
  ...accessOperations,
  ...chatOperations,
} as const;
/** One of {@link aggregator}. */
export type AggregatorContract = typeof aggregator;
