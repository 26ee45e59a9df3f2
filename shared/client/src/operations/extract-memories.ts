// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `extract_memories`: Extract memories.
 */
export interface ExtractMemoriesInput {
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
}

/**
 * The answer of `extract_memories`.
 */
export interface ExtractMemoriesOutput {
  success: true;
  extractor: {
    kind: 'rules' | 'model';
    name: string;
  };
  memories: {
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
  not_saved?: {
    content: string;
    importance?: number;
    reason: string;
  }[];
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
}
