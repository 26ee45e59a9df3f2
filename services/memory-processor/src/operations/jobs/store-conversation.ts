import { type ProcessTranscriptResponse, processTranscriptRequestSchema } from '@contextloom/contracts';
import type { JobHandler } from '../../jobs/job-runner.ts';
import type { MemoryProcessorDeps } from '../deps.ts';
import { recordConversation } from '../process-transcript.ts';

/** What of an answer is kept: no words of the conversation, which a person may want forgotten one by one. */
function toResult({ message, extractor, saved_memories: saved, failed, ...answer }: ProcessTranscriptResponse) {
  const { transcript_id, transcript_ids, memories_extracted, memories_saved, memories_known } = answer;
  const { kept_as_corrected, left_out_deleted } = answer;
  return {
    message,
    extractor,
    transcript_id,
    transcript_ids,
    memories_extracted,
    memories_saved,
    memories_known,
    kept_as_corrected,
    left_out_deleted,
    failed,
    memory_ids: saved.map(({ id }) => id),
  };
}

/** Does the work of `process_transcript` for a job; the same conversation again saves nothing twice. */
export function createStoreConversation(deps: Pick<MemoryProcessorDeps, 'processor' | 'undatedTurns'>): JobHandler {
  return async ({ userId, payload }, options) => {
    const args = processTranscriptRequestSchema.parse({ ...payload, user_id: userId });
    const { answer, outcome } = await recordConversation(args, deps, options);
    const { waitsUntil, unread: left, windows } = outcome;
    const unread =
      waitsUntil === undefined
        ? `the model could not be asked for ${left} of ${windows} pieces`
        : `${left} of ${windows} pieces are to be read once there is a budget for them`;
    return {
      result: toResult(answer),
      cost: answer.usage,
      ...(!outcome.isComplete && { unfinished: 'it was ended early' }),
      ...(left > 0 && { unfinished: unread, ...(outcome.isComplete && { waitsUntil }) }),
    };
  };
}
