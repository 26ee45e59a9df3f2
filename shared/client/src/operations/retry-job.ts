// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `retry_job`: Retry a job.
 */
export interface RetryJobInput {
  /**
   * The user whose job it is.
   */
  user_id?: string;
  /**
   * The job, as the call that made it answered it.
   */
  job_id: string;
}

/**
 * The answer of `retry_job`.
 */
export interface RetryJobOutput {
  job_id: string;
  /**
   * What it does: store_conversation.
   */
  kind: string;
  /**
   * failed: the last attempt came to nothing, and the next is at next_attempt_at. dead: no further attempt unless retry_job asks for one.
   */
  state: 'queued' | 'running' | 'done' | 'failed' | 'dead' | 'cancelled';
  /**
   * Pieces of the conversation; 0 of 0 until it begins.
   */
  progress: {
    done: number;
    total: number;
  };
  /**
   * How often it was begun.
   */
  attempts: number;
  created_at: string;
  started_at?: string;
  ended_at?: string;
  next_attempt_at?: string;
  /**
   * Why the last attempt came to nothing.
   */
  reason?: string;
  result?: {
    message: string;
    extractor: {
      kind: 'rules' | 'model';
      name: string;
    };
    transcript_id?: string;
    /**
     * Of several conversations, in place of transcript_id.
     */
    transcript_ids?: string[];
    memories_extracted: number;
    memories_saved: number;
    memories_known?: number;
    /**
     * Memories that stay as the user corrected them.
     */
    kept_as_corrected?: number;
    /**
     * Memories that are left out since the user deleted them.
     */
    left_out_deleted?: number;
    failed?: {
      source: string;
      reason: string;
    }[];
    /**
     * The memories that were saved.
     */
    memory_ids: string[];
  };
  /**
   * What the model was asked in the last attempt.
   */
  cost?: {
    calls: number;
    input_tokens: number;
    output_tokens: number;
    price_usd?: number;
  };
}
