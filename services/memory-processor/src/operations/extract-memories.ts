import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import { toNotSaved, toReadingFields } from '../answers.ts';
import { withoutPlace } from '../domain/memory-documents.ts';
import { type MemoryProcessorContext, readInCall } from './deps.ts';
import { exampleExtractor, exampleHistory, exampleMemory } from './examples.ts';

/** Shows what would be remembered of a conversation, and saves nothing. */
export const extractMemories = defineOperation({
  name: 'extract_memories',
  title: 'Extract memories',
  description:
    'Reads a conversation and returns its memories with importance (1-10), type, feeling and date. Saves nothing; to save them use process_transcript.',
  effect: 'reads',
  // It stores nothing, but each call may cost a model's: not what a key that only reads is given for.
  requires: 'write',
  hints: { isOpenWorld: true },
  scope: 'none',
  ...contract.extract_memories,
  example: {
    input: { conversation_history: exampleHistory },
    output: { success: true, extractor: exampleExtractor, memories: [exampleMemory], not_saved: [] },
  },
  run: async (args, context: MemoryProcessorContext) => {
    const {
      deps: { processor },
      signal,
    } = context;
    const { conversation_date: conversationDate, transcript_id: transcriptId } = args;
    const { memories, notSaved, ...reading } = await readInCall(context, () =>
      processor.readConversation(args.conversation_history, { conversationDate, transcriptId, signal }),
    );
    return {
      success: true as const,
      extractor: processor.extractor,
      memories: memories.map(withoutPlace),
      not_saved: toNotSaved(notSaved),
      ...toReadingFields(reading, processor),
    };
  },
});
