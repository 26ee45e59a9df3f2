import { type ProcessTranscriptResponse, processTranscriptRequestSchema } from '@contextloom/contracts';
import type { ModelBudget } from '../../domain/budget/model-budget.ts';
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

/** What it works with. */
export interface StoreConversationDeps extends Pick<MemoryProcessorDeps, 'processor' | 'undatedTurns'> {
  /** Bounds what the model is asked for; without it nothing does. */
  readonly budget?: Pick<ModelBudget, 'refuse'> | undefined;
  /** Whether the model is that of whoever calls: nobody does in a job, and trying again would not mend it. */
  readonly asksCaller?: boolean;
}

/** Does the work of `process_transcript` for a job; the same conversation again saves nothing twice. */
export function createStoreConversation(deps: StoreConversationDeps): JobHandler {
  return async ({ userId, payload, before }, options) => {
    // What an attempt before has saved need not be saved again only to wait once more.
    if (before !== undefined) {
      const refusal = await deps.budget?.refuse();
      if (refusal !== undefined) return { ...before, unfinished: refusal.reason, waitsUntil: refusal.until };
    }
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
      ...(left > 0 && deps.asksCaller !== true && { unfinished: unread, ...(outcome.isComplete && { waitsUntil }) }),
    };
  };
}
