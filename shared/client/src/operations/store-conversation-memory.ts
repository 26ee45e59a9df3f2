// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `store_conversation_memory`: Remember a conversation.
 */
export interface StoreConversationMemoryInput {
  /**
   * The user whose memory this is.
   */
  user_id?: string;
  /**
   * The conversation: text of "Name: words" lines, JSON, JSONL, or a list of turns.
   */
  conversation_history:
    | string
    | {
        /**
         * The name of the turn in its source, e.g. "D1:3".
         */
        id?: string | number;
        /**
         * Who speaks, e.g. "user".
         */
        role?: string;
        /**
         * The name to show for the speaker, instead of "role".
         */
        speaker?: string;
        /**
         * What was said: text, or a list of content parts.
         */
        content?:
          | string
          | {
              /**
               * "text", "image", …; a part without a type is text.
               */
              type?: string;
              /**
               * What was said, in a part of text.
               */
              text?: string;
              mediaType?: string;
            }[];
        /**
         * The same as "content", as a list of parts.
         */
        parts?: {
          /**
           * "text", "image", …; a part without a type is text.
           */
          type?: string;
          /**
           * What was said, in a part of text.
           */
          text?: string;
          mediaType?: string;
        }[];
        /**
         * The same as "content".
         */
        text?: string;
        /**
         * When it was said: ISO 8601, or seconds or milliseconds since 1970.
         */
        timestamp?: string | number;
      }[];
  /**
   * Names this conversation; without it a longer version is known again by what it begins with.
   */
  transcript_id?: string;
  /**
   * When it took place (ISO 8601), for turns without a timestamp.
   */
  conversation_date?: string;
  /**
   * Save facts of low importance too.
   */
  force_save?: boolean;
  /**
   * Read those pieces again from which no facts could be drawn.
   */
  retry_failed?: boolean;
  /**
   * When turns were said that neither a timestamp nor conversation_date dates: "call" (now), "none" (nobody knows), or a time in ISO 8601. Those that an earlier call brought keep their time. Default: the setting of the memory processor.
   */
  undated_turns?: ('call' | 'none') | string;
  /**
   * Only estimate what it would ask of the model; nothing is sent or saved.
   */
  dry_run?: boolean;
  /**
   * false: a conversation that is not to be remembered; nothing of it is read, kept or sent to a model.
   */
  store?: boolean;
  /**
   * false: answer at once with a job_id and read the conversation later; get_job tells how far it is.
   */
  wait?: boolean;
  /**
   * With wait false: the same key of the same user again answers the job that is there, and makes no other.
   */
  idempotency_key?: string;
}

/**
 * The answer of `store_conversation_memory`.
 */
export interface StoreConversationMemoryOutput {
  success: true;
  message: string;
  memory_saved: boolean;
  memory_content: string | null;
  importance: number | null;
  memory_type: ('preference' | 'event' | 'relationship' | 'knowledge' | 'emotional' | 'episode') | null;
  memories_extracted: number;
  memories_saved: number;
  memories_known?: number;
  saved_memories: {
    id: string;
    content: string;
    importance: number;
    memory_type: 'preference' | 'event' | 'relationship' | 'knowledge' | 'emotional' | 'episode';
    tags: string[];
    occurred_at?: string;
    /**
     * The month (2025-03) or year (2025) that was said where no day was; occurred_at is its first day.
     */
    occurred_on?: string;
    /**
     * Until when it was or will be so, as far as that was said, ISO 8601 UTC.
     */
    ended_at?: string;
    /**
     * The month or year of the end where no day was said; ended_at is its first day.
     */
    ended_on?: string;
    emotional_valence?: number;
    source?: string;
  }[];
  extractor?: {
    kind: 'rules' | 'model';
    name: string;
  };
  not_saved?: {
    content: string;
    importance?: number;
    reason: string;
  }[];
  estimate?: {
    calls: number;
    input_tokens: number;
    output_tokens: number;
    price_usd?: number;
    pieces: number;
    pieces_known: number;
    price_basis: string;
  };
  /**
   * Memories that stay as the user corrected them.
   */
  kept_as_corrected?: number;
  /**
   * Memories that are left out since the user deleted them.
   */
  left_out_deleted?: number;
  usage?: {
    calls: number;
    input_tokens: number;
    output_tokens: number;
    price_usd?: number;
  };
  failed?: {
    source: string;
    reason: string;
  }[];
  /**
   * With wait false: the job that reads the conversation. Nothing is saved yet.
   */
  job_id?: string;
}
