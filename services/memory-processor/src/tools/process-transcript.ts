import { processTranscriptRequestSchema, processTranscriptResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import type { RecordOutcome } from '../domain/record-transcript.ts';
import type { MemoryProcessorDeps } from './deps.ts';

const count = (n: number): string => `${n} ${n === 1 ? 'memory' : 'memories'}`;

/** Says in one line what was saved, what was known, and who rated it. */
function toMessage({ saved, known, notSaved }: RecordOutcome, by: string): string {
  const parts = [
    saved.length > 0 || known === 0 ? `Saved ${count(saved.length)}, rated by ${by}.` : 'Nothing new.',
    known > 0 ? `${count(known)} of this conversation had been saved before.` : '',
    notSaved.length > 0 ? `Left out ${notSaved.length} of low importance; force_save saves them too.` : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Reads a conversation and saves its memories. */
export const processTranscript = defineTool({
  name: 'process_transcript',
  title: 'Remember a conversation',
  description:
    'Reads a conversation and saves its memories for one user: the conversation itself in short pieces, and facts drawn from it. The same conversation again saves nothing twice; give transcript_id when a conversation is sent again as it grows.',
  input: processTranscriptRequestSchema,
  output: processTranscriptResponseSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async (args, { processor }: MemoryProcessorDeps, { signal, reportProgress }) => {
    const outcome = await processor.processTranscript(
      {
        userId: args.user_id,
        conversationHistory: args.conversation_history,
        conversationDate: args.conversation_date,
        transcriptId: args.transcript_id,
        forceSave: args.force_save,
      },
      { signal, onProgress: (done, total) => reportProgress(done, total, `${done} of ${total} pieces`) },
    );
    const { kind, name } = processor.extractor;
    return {
      success: true as const,
      message: toMessage(outcome, kind === 'rules' ? 'written rules' : name),
      extractor: processor.extractor,
      transcript_id: outcome.transcript,
      memories_extracted: outcome.saved.length + outcome.notSaved.length,
      memories_saved: outcome.saved.length,
      memories_known: outcome.known,
      saved_memories: [...outcome.saved],
      not_saved: [...outcome.notSaved],
    };
  },
});
