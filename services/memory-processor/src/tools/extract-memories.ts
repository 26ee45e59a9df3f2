import { extractMemoriesRequestSchema, extractMemoriesResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { toNotSaved, toReadingFields } from '../answers.ts';
import { withoutPlace } from '../domain/memory-documents.ts';
import type { MemoryProcessorDeps } from './deps.ts';

/** Shows what would be remembered of a conversation, and saves nothing. */
export const extractMemories = defineTool({
  name: 'extract_memories',
  title: 'Extract memories',
  description:
    'Reads a conversation and returns its memories with importance (1-10), type, feeling and date. Saves nothing; to save them use process_transcript.',
  input: extractMemoriesRequestSchema,
  output: extractMemoriesResponseSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: async (args, { processor }: MemoryProcessorDeps, { signal }) => {
    const { memories, notSaved, ...reading } = await processor.readConversation(args.conversation_history, {
      conversationDate: args.conversation_date,
      transcriptId: args.transcript_id,
      signal,
    });
    return {
      success: true as const,
      extractor: processor.extractor,
      memories: memories.map(withoutPlace),
      not_saved: toNotSaved(notSaved),
      ...toReadingFields(reading, processor),
    };
  },
});
