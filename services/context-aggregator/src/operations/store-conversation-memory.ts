import {
  type Memory,
  NOT_STORED,
  type ProcessTranscriptRequest,
  type ProcessTranscriptResponse,
  processTranscriptResponseSchema,
  type StoreConversationResponse,
} from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { askMemoryProcessor } from '../sources/memories/memory-processor.ts';
import { type AggregatorContext, toCallDeps } from './deps.ts';
import { exampleConversation, exampleMemory, exampleSavedMemory } from './examples.ts';

/** Turns a conversation into memories of one user. */
export const storeConversationMemory = defineOperation({
  name: 'store_conversation_memory',
  title: 'Remember a conversation',
  description:
    'Turns a conversation into rated memories of the user and saves them. The same conversation a second time adds nothing. With wait false it answers at once with a job_id.',
  effect: 'adds',
  hints: { isIdempotent: true, isOpenWorld: true },
  scope: 'user',
  ...contract.store_conversation_memory,
  example: {
    input: { user_id: 'ann', conversation_history: exampleConversation },
    output: {
      success: true,
      message: '1 memory saved.',
      memory_saved: true,
      memory_content: exampleMemory.content,
      importance: exampleMemory.importance,
      memory_type: exampleMemory.memory_type,
      memories_extracted: 1,
      memories_saved: 1,
      saved_memories: [exampleSavedMemory],
    },
  },
  // The memory processor takes it out message by message.
  leaveOut: 'self',
  run: async ({ store = true, ...args }, context: AggregatorContext) => {
    if (!store)
      return { ...NOT_STORED, memory_saved: false, memory_content: null, importance: null, memory_type: null };
    const request = { args: toArguments(args), answer: processTranscriptResponseSchema };
    return toStored(await askMemoryProcessor({ tool: 'process_transcript', ...request }, toCallDeps(context), context));
  },
});

/** What is younger than the tool is sent only when it is wanted: a memory processor of before may refuse what it does not know. */
function toArguments({
  retry_failed,
  dry_run,
  undated_turns,
  wait,
  idempotency_key,
  ...request
}: ProcessTranscriptRequest): object {
  const later = wait === false && { wait, ...(idempotency_key !== undefined && { idempotency_key }) };
  const younger = { ...(retry_failed && { retry_failed }), ...(dry_run && { dry_run }), ...later };
  return { ...request, ...younger, ...(undated_turns !== undefined && { undated_turns }) };
}

function toStored(processed: ProcessTranscriptResponse): StoreConversationResponse {
  const best = findMostImportant(processed.saved_memories);
  return {
    ...processed,
    memory_saved: best !== undefined,
    memory_content: best?.content ?? null,
    importance: best?.importance ?? null,
    memory_type: best?.memory_type ?? null,
  };
}

function findMostImportant(memories: readonly Memory[]): Memory | undefined {
  return memories.reduce<Memory | undefined>(
    (best, memory) => (best === undefined || memory.importance > best.importance ? memory : best),
    undefined,
  );
}
